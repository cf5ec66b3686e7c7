import { attr, clean, has, indexOf } from './attributes.ts';
import type { LinkPlace, RawLinks } from './raw-links.ts';
import { A } from './tags.ts';
import type { Tape } from './tape.ts';

const MAX_META = 200;
const MAX_FEEDS = 20;
/** Relations of link elements that lead to pages. */
const NAVIGATION = new Set(
  'next prev previous first last start index contents up home amphtml author help license search chapter section'.split(
    ' ',
  ),
);

/** What a page says of itself and where it leads: title, meta and link elements, all links. Serves page after page. */
export class Head {
  title = '';
  base = '';
  lang = '';
  canonical = '';
  readonly links: RawLinks;
  /** By lower-case name; those of http-equiv apart. */
  readonly meta = new Map<string, string>();
  readonly httpEquiv = new Map<string, string>();
  readonly jsonLd: string[] = [];
  readonly times: string[] = [];
  readonly feeds: string[] = [];

  constructor(links: RawLinks) {
    this.links = links;
  }

  begin(): void {
    this.title = this.base = this.lang = this.canonical = '';
    this.jsonLd.length = this.times.length = this.feeds.length = 0;
    this.meta.clear();
    this.httpEquiv.clear();
  }

  /** A link whose address is the value of an attribute, the first of its name; there is one. */
  addLink(tape: Tape, entry: number, attribute: number, label: string, rel: string, place: LinkPlace): void {
    const a = indexOf(tape, entry, attribute);
    this.links.add(tape.valueFrom[a]!, tape.valueTo[a]!, 0, 0, label, rel, place);
  }

  /** A link element. */
  readLink(tape: Tape, i: number): void {
    const rel = attr(tape, i, A.rel).toLowerCase();
    const href = attr(tape, i, A.href);
    if (href === '' || rel === '') return;
    const words = rel.split(/\s+/);
    if (words.includes('canonical')) {
      if (this.canonical === '') this.canonical = href;
      // It must be known to be able to stand for this page.
      this.addLink(tape, i, A.href, '', rel, 'link');
    } else if (words.includes('alternate')) {
      const type = attr(tape, i, A.type).toLowerCase();
      if (/rss|atom|feed/.test(type)) {
        if (this.feeds.length < MAX_FEEDS) this.feeds.push(href);
      }
      if (!words.includes('stylesheet') && !/oembed/.test(type))
        this.addLink(tape, i, A.href, clean(attr(tape, i, A.title)), rel, 'link');
    } else if (words.some((word) => NAVIGATION.has(word)))
      this.addLink(tape, i, A.href, clean(attr(tape, i, A.title)), rel, 'link');
  }

  /** A meta element. */
  readMeta(tape: Tape, i: number): void {
    if (!has(tape, i, A.content)) return;
    const content = (): string => clean(attr(tape, i, A.content));
    const equiv = attr(tape, i, A['http-equiv']).toLowerCase().trim();
    if (equiv !== '' && !this.httpEquiv.has(equiv)) this.httpEquiv.set(equiv, content());
    for (const attribute of [A.name, A.property, A.itemprop]) {
      const name = attr(tape, i, attribute).toLowerCase().trim();
      if (name === '' || name.length > 100 || this.meta.size >= MAX_META) continue;
      const before = this.meta.get(name);
      if (before === undefined) this.meta.set(name, content());
      // Several robots elements add up.
      else if (name === 'robots' && before.length < 1000) this.meta.set(name, `${before},${content()}`);
    }
  }
}
