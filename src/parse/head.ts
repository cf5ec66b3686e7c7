import { attr, clean, indexOf, valueAt } from './attributes.ts';
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
  /** Where the name of the last meta element stands that has nothing more to say under it; the page's own range. */
  #saidFrom = 0;
  #saidTo = 0;

  constructor(links: RawLinks) {
    this.links = links;
  }

  begin(): void {
    this.title = this.base = this.lang = this.canonical = '';
    this.jsonLd.length = this.times.length = this.feeds.length = 0;
    this.meta.clear();
    this.httpEquiv.clear();
    this.#saidFrom = this.#saidTo = 0;
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
    const first = tape.from[i]!;
    const last = first + tape.many[i]!;
    let content = -1;
    let equiv = -1;
    let name = -1;
    let property = -1;
    let itemprop = -1;
    for (let a = first; a < last; a++) {
      const attribute = tape.attribute[a];
      if (attribute === A.content) content = a;
      else if (attribute === A['http-equiv']) equiv = a;
      else if (attribute === A.name) name = a;
      else if (attribute === A.property) property = a;
      else if (attribute === A.itemprop) itemprop = a;
    }
    if (content < 0) return;
    if (equiv >= 0) {
      const said = valueAt(tape, equiv).toLowerCase().trim();
      if (said !== '' && !this.httpEquiv.has(said)) this.httpEquiv.set(said, clean(valueAt(tape, content)));
    }
    if (name >= 0) this.#say(tape, name, content);
    if (property >= 0) this.#say(tape, property, content);
    if (itemprop >= 0) this.#say(tape, itemprop, content);
  }

  /** By the places of two attributes: of the name, of what it says. */
  #say(tape: Tape, named: number, content: number): void {
    const from = tape.valueFrom[named]!;
    const to = tape.valueTo[named]!;
    // Some pages have a meta element a keyword: the first counts, and the others are known by the same bytes.
    if (this.#isSaid(tape.bytes, from, to)) return;
    const name = valueAt(tape, named).toLowerCase().trim();
    if (name === '' || name.length > 100 || this.meta.size >= MAX_META) return;
    const before = this.meta.get(name);
    if (before === undefined) this.meta.set(name, clean(valueAt(tape, content)));
    // Several robots elements add up.
    else if (name === 'robots' && before.length < 1000)
      this.meta.set(name, `${before},${clean(valueAt(tape, content))}`);
    if (name === 'robots') return;
    this.#saidFrom = from;
    this.#saidTo = to;
  }

  #isSaid(bytes: Uint8Array, from: number, to: number): boolean {
    const said = this.#saidFrom;
    if (to - from !== this.#saidTo - said) return false;
    for (let i = from; i < to; i++) if (bytes[i] !== bytes[said + i - from]) return false;
    return true;
  }
}
