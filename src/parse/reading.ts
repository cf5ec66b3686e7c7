import { attr, clean, has, hrefOf, valueAt } from './attributes.ts';
import { Head } from './head.ts';
import { MAX_DEPTH } from './open-elements.ts';
import { RawLinks } from './raw-links.ts';
import { attributeValue } from './references.ts';
import { MAIN, Regions, SIDE } from './regions.ts';
import type { Marked } from './selectors.ts';
import { A, ASIDE, BREAK, FLAGS, SKIP, T } from './tags.ts';
import { KIND, type Tape } from './tape.ts';
import { TextBlocks } from './text-blocks.ts';

export interface RawHeading {
  readonly level: number;
  readonly text: string;
  /** '' when nothing reaches it. */
  readonly anchor: string;
}

/** Longest heading, title and field of a selector kept, in characters. */
const HEADING_CHARS = 300;
const TITLE_CHARS = 1000;
const FIELD_CHARS = 10_000;
const MAX_HEADINGS = 2_000;

/** What a heading's link to itself is drawn as: a sign of the page's manners, no word of its text. */
const PERMALINKS: ReadonlySet<string> = new Set([
  ...['#', '¶', '§'],
  ...['&para;', '&sect;', '&#182;', '&#167;', '&#xb6;', '&#xa7;', '&#xB6;', '&#xA7;'],
]);
const BLANK = Buffer.from(' ');

/** Whether a link leads to a place in its own page. */
function within(bytes: Buffer, from: number, to: number): boolean {
  const first = from < to ? bytes[from] : 0;
  return first === 35 || (first === 38 && attributeValue(bytes, from, to).startsWith('#'));
}

/**
 * One pass over a tape: visible text in blocks, links, headings, title, meta, what main-text.ts needs to choose.
 *
 * An instance serves page after page and is good until the next `read`. Strings it hands out are copies.
 * Cost: that of the text (text-blocks.ts), no allocation an element.
 */
export class Reading {
  readonly blocks = new TextBlocks();
  readonly regions = new Regions();
  readonly links = new RawLinks(this.blocks);
  readonly head = new Head(this.links);
  readonly headings: RawHeading[] = [];
  /** Texts of the fields that selectors name. */
  readonly fields = new Map<string, string>();

  private marked: Marked | null = null;
  private readonly fieldStarts = new Map<number, number>();
  private readonly stack = new Int32Array(MAX_DEPTH + 2);
  private readonly seenHeading = new Uint8Array(MAX_DEPTH + 2);
  /** Whether `regions` sums the text of the element open at a depth. */
  private readonly counted = new Uint8Array(MAX_DEPTH + 2);

  /** `marked`: what selectors of the config mean, see selectors.ts. */
  read(tape: Tape, marked: Marked | null = null): void {
    const { blocks, regions, head, stack, seenHeading, counted } = this;
    blocks.begin(tape.bytes.length);
    regions.begin(tape.length);
    this.links.begin(tape.bytes as Buffer);
    head.begin();
    this.headings.length = 0;
    this.fields.clear();
    this.fieldStarts.clear();
    this.marked = marked;
    const kinds = tape.kind;
    const { tag: tags, from, to } = tape;
    const n = tape.length;
    const bytes = tape.bytes as Buffer;
    let depth = 0;
    let skip = 0;
    let aside = 0;
    let noindexFrom = -1;
    // The open link.
    let linkEntry = -1;
    let linkFrom = 0;
    let linkTo = 0;
    let linkRel = '';
    let linkStart = 0;
    let linkAlt = '';
    // The open heading.
    let headingEntry = -1;
    let headingStart = 0;
    let headingAnchor = '';
    let headingDepth = 0;
    // The last id or a[name] that no text followed, by its attribute.
    let near = -1;
    let nearAt = -1;
    /** What the text goes into: 0 the page, 1 its title, 2 JSON-LD. */
    let capture = 0;
    let hasTitle = false;

    for (let i = 0; i < n; i++) {
      const kind = kinds[i]!;
      if (kind === KIND.text || kind === KIND.raw) {
        if (capture !== 0) {
          if (capture === 1) head.title = blocks.apart(bytes, from[i]!, to[i]!, kind === KIND.text, TITLE_CHARS);
          else if (head.jsonLd.length < 50) head.jsonLd.push(bytes.toString('utf8', from[i]!, to[i]!));
          continue;
        }
        if (skip > 0) continue;
        if (
          i === linkEntry + 1 &&
          within(bytes, linkFrom, linkTo) &&
          kinds[i + 1] === KIND.close &&
          from[i + 1] === linkEntry &&
          to[i]! - from[i]! <= 10 &&
          PERMALINKS.has(bytes.toString('utf8', from[i]!, to[i]!).trim())
        ) {
          // The words on both sides stay apart.
          blocks.append(BLANK, 0, 1, false, i);
          continue;
        }
        const words = linkEntry < 0 ? 0 : blocks.wordsNow();
        const chars = blocks.chars;
        blocks.append(bytes, from[i]!, to[i]!, kind === KIND.text, i);
        const more = aside === 0 ? blocks.chars - chars : 0;
        regions.textAll += more;
        if (linkEntry >= 0) {
          regions.linkAll += more;
          blocks.wordsInLinks += blocks.wordsNow() - words;
        }
        continue;
      }
      if (kind === KIND.close) {
        const opened = from[i]!;
        const tag = tags[i]!;
        const flags = FLAGS[tag]!;
        if (counted[depth] === 1) regions.close(opened, tag === T.p && aside === 0);
        depth--;
        if ((flags & SKIP) !== 0) {
          skip--;
          capture = 0;
        }
        if ((flags & ASIDE) !== 0) aside--;
        if (opened === linkEntry) {
          this.endLink(linkFrom, linkTo, linkRel, linkStart, linkAlt);
          linkEntry = -1;
        }
        if (opened === headingEntry) {
          this.endHeading(tape, headingEntry, headingStart, headingAnchor, headingDepth);
          headingEntry = -1;
        }
        if (marked !== null && this.fieldStarts.has(opened)) this.endField(opened);
        if ((flags & BREAK) !== 0 && skip === 0) blocks.close();
        continue;
      }
      if (kind === KIND.gap) {
        if (skip === 0) blocks.close();
        continue;
      }
      if (kind === KIND.noindex) {
        if (from[i] === 1) noindexFrom = noindexFrom < 0 ? i : noindexFrom;
        else if (noindexFrom >= 0) {
          regions.side(noindexFrom, SIDE.never);
          tape.to[noindexFrom] = i;
          noindexFrom = -1;
        }
        blocks.close();
        continue;
      }
      // open or empty
      const tag = tags[i]!;
      const flags = FLAGS[tag]!;
      if ((flags & BREAK) !== 0 && skip === 0) blocks.close();
      const many = tape.many[i]!;
      const named = regions.named;
      if (many > 0 && tag !== T.meta && tag !== T.link && tag !== T.script) {
        const id = regions.look(tape, i, tag, flags);
        if (id >= 0) {
          near = id;
          nearAt = blocks.end;
          if (headingEntry >= 0 && headingAnchor === '') headingAnchor = valueAt(tape, id);
        }
      }
      if (marked !== null && kind === KIND.open) {
        if (marked.exclude.has(i)) regions.side(i, SIDE.never);
        if (marked.include.has(i)) regions.main(i, MAIN.include);
        if (marked.fields.has(i)) this.fieldStarts.set(i, blocks.end);
      }
      if (kind === KIND.open) {
        depth++;
        stack[depth] = i;
        seenHeading[depth] = 0;
        if ((flags & ASIDE) !== 0) {
          aside++;
          regions.side(i, SIDE.tag);
        }
      }
      switch (tag) {
        case T.a:
          if (linkEntry >= 0) {
            this.endLink(linkFrom, linkTo, linkRel, linkStart, linkAlt);
            linkEntry = -1;
          }
          if (many > 0 && tape.many[i]! > 0) {
            const href = hrefOf(tape, i);
            if (href >= 0 && !(skip > 0 && this.insideTemplate(tape, depth))) {
              const rel = attr(tape, i, A.rel).toLowerCase();
              if (kind === KIND.empty) this.links.add(tape.valueFrom[href]!, tape.valueTo[href]!, 0, 0, '', rel, '');
              else {
                linkEntry = i;
                linkFrom = tape.valueFrom[href]!;
                linkTo = tape.valueTo[href]!;
                linkRel = rel;
                linkStart = blocks.end;
                linkAlt = '';
              }
            }
          }
          break;
        case T.area:
          if (has(tape, i, A.href)) {
            head.addLink(tape, i, A.href, clean(attr(tape, i, A.alt)), attr(tape, i, A.rel).toLowerCase(), '');
          }
          break;
        case T.img:
          if (linkEntry >= 0 && linkAlt === '') linkAlt = attr(tape, i, A.alt);
          break;
        case T.iframe:
        case T.frame: {
          const src = attr(tape, i, A.src);
          if (src !== '' && !(skip > 0 && this.insideTemplate(tape, depth)))
            head.addLink(tape, i, A.src, clean(attr(tape, i, A.title)), '', 'frame');
          break;
        }
        case T.form: {
          if (has(tape, i, A.action) && attr(tape, i, A.method).toLowerCase() !== 'post') {
            const action = attr(tape, i, A.action);
            if (action.trim() !== '' && !(skip > 0 && this.insideTemplate(tape, depth)))
              head.addLink(tape, i, A.action, '', '', 'form');
          }
          regions.side(i, SIDE.form);
          break;
        }
        case T.link:
          if (many > 0) head.readLink(tape, i);
          break;
        case T.meta:
          if (many > 0) head.readMeta(tape, i);
          break;
        case T.base:
          if (head.base === '' && has(tape, i, A.href)) head.base = attr(tape, i, A.href);
          break;
        case T.html:
          if (head.lang === '') head.lang = (attr(tape, i, A.lang) || attr(tape, i, A['xml:lang'])).trim();
          break;
        case T.time: {
          const date = attr(tape, i, A.datetime);
          if (date !== '' && head.times.length < 20) head.times.push(date);
          break;
        }
        case T.title:
          if (!hasTitle && kind === KIND.open && !(skip > 0 && this.insideTemplate(tape, depth))) {
            capture = 1;
            hasTitle = true;
          }
          break;
        case T.script:
          if (many > 0 && kind === KIND.open && /ld\+json/i.test(attr(tape, i, A.type))) capture = 2;
          break;
        case T.h1:
        case T.h2:
        case T.h3:
        case T.h4:
        case T.h5:
        case T.h6:
          if (kind === KIND.open && skip === 0) {
            if (headingEntry >= 0) this.endHeading(tape, headingEntry, headingStart, headingAnchor, headingDepth);
            headingEntry = i;
            headingStart = blocks.end;
            headingDepth = depth;
            headingAnchor = attr(tape, i, A.id);
            if (headingAnchor === '' && nearAt === blocks.end) headingAnchor = valueAt(tape, near);
            blocks.kindNow = 1;
          }
          break;
        case T.article:
          regions.main(i, MAIN.article);
          break;
        case T.main:
          regions.main(i, MAIN.main);
          break;
      }
      if (kind === KIND.open) {
        if (tag === T.p || regions.named !== named) {
          regions.open(i);
          counted[depth] = 1;
        } else counted[depth] = 0;
        if ((flags & SKIP) !== 0) skip++;
      }
    }
    if (linkEntry >= 0) this.endLink(linkFrom, linkTo, linkRel, linkStart, linkAlt);
    if (noindexFrom >= 0) {
      regions.side(noindexFrom, SIDE.never);
      tape.to[noindexFrom] = n;
    }
    blocks.close();
  }

  private insideTemplate(tape: Tape, depth: number): boolean {
    for (let at = depth; at > 0; at--) if (tape.tag[this.stack[at]!] === T.template) return true;
    return false;
  }

  private endLink(hrefFrom: number, hrefTo: number, rel: string, start: number, alt: string): void {
    const from = this.blocks.trimmed(start);
    const to = this.blocks.lastTrimmed;
    this.links.add(hrefFrom, hrefTo, from, to, from < to || alt === '' ? '' : clean(alt), rel, '');
  }

  private endField(entry: number): void {
    const text = this.blocks.slice(this.fieldStarts.get(entry)!, FIELD_CHARS);
    for (const name of this.marked!.fields.get(entry)!) {
      const before = this.fields.get(name);
      if (text !== '') this.fields.set(name, before === undefined ? text : `${before}\n${text}`);
    }
  }

  private endHeading(tape: Tape, entry: number, start: number, found: string, depth: number): void {
    const { stack, seenHeading: seen } = this;
    let anchor = found;
    // The nearest of three sections around it that has an id and whose first heading this is.
    for (let at = depth - 1; at > 0 && at >= depth - 3; at--) {
      const around = stack[at]!;
      const tag = tape.tag[around]!;
      if (
        anchor === '' &&
        seen[at] === 0 &&
        (tag === T.section || tag === T.div || tag === T.article || tag === T.li || tag === T.td)
      ) {
        anchor = attr(tape, around, A.id);
      }
    }
    for (let at = depth - 1; at > 0 && at >= depth - 3; at--) seen[at] = 1;
    const text = this.blocks.slice(start, HEADING_CHARS);
    if (text === '' || this.headings.length >= MAX_HEADINGS) return;
    this.headings.push({ level: tape.tag[entry]! - T.h1 + 1, text, anchor });
  }
}
