import { hashEnd, hashStep, T } from './tags.ts';

/** What never ended, so that the rest of the page went with it; '' when all did. */
export type Unclosed = '' | 'comment' | 'tag' | 'script' | 'element';

/** Who is told what the tokenizer finds, in page order: Nesting, or who wants less of a page. */
export interface Tokens {
  /** The page is XHTML. */
  readonly xml: boolean;
  /** Whether tags stand in SVG or MathML. */
  inForeign(): boolean;
  text(from: number, to: number): void;
  /** Text without character references. */
  raw(from: number, to: number): void;
  comment(from: number, to: number): void;
  /**
   * A start tag's name, and its hash (tags.ts): answers its number. Its attributes follow, then startEnd; without startEnd it
   * never was.
   */
  start(nameFrom: number, nameTo: number, hash: number): number;
  attributeAt(nameFrom: number, nameTo: number, from: number, to: number, hash: number): void;
  startEnd(selfClosing: boolean): void;
  close(nameFrom: number, nameTo: number, hash: number): void;
}

/**
 * The fast reader: one pass over the bytes, the tokenizer of the HTML Standard (13.2.5) written for tapes. No string and
 * no object is made; what a token says is where it stands.
 *
 * Whole but for parse errors, which it does not report: RCDATA (title, textarea), raw text, the three states of a script,
 * every form of comment, CDATA in foreign content, attributes as the standard separates them. UTF-8 in, since its longer
 * sequences hold no markup. Character references stay in the ranges; references.ts decodes them.
 *
 * Cost: each byte is looked at once; long runs (scripts, comments) by memchr. Linear for any input.
 */
export function scan(page: Buffer, tape: Tokens): Unclosed {
  const n = page.length;
  let i = 0;
  let textFrom = 0;
  while (i < n) {
    if (page[i] !== LT) {
      i++;
      continue;
    }
    const c = i + 1 < n ? page[i + 1]! : 0;
    if (isLetter(c)) {
      tape.text(textFrom, i);
      const end = startTag(page, i + 1, n, tape);
      if (end < 0) return 'tag';
      i = end;
      textFrom = i;
      if (pending !== 0) {
        i = textOnly(page, i, n, tape, pending);
        if (i < 0) return pending === T.script ? 'script' : pending === T.plaintext ? '' : 'element';
        textFrom = i;
      }
    } else if (c === SLASH) {
      const d = i + 2 < n ? page[i + 2]! : 0;
      if (isLetter(d)) {
        tape.text(textFrom, i);
        const end = endTag(page, i + 2, n, tape);
        if (end < 0) return 'tag';
        i = end;
      } else if (i + 2 >= n) {
        i = n;
        continue;
      } else {
        tape.text(textFrom, i);
        // `</>` is nothing, `</ x>` a comment.
        const end = page.indexOf(GT, i + 2);
        if (end < 0) return 'comment';
        i = end + 1;
      }
      textFrom = i;
    } else if (c === BANG || c === QUESTION) {
      tape.text(textFrom, i);
      const end = c === BANG ? declaration(page, i, n, tape) : page.indexOf(GT, i + 1);
      if (end < 0) return 'comment';
      i = end + 1;
      textFrom = i;
    } else i++;
  }
  tape.text(textFrom, n);
  return '';
}

const LT = 60;
const GT = 62;
const SLASH = 47;
const BANG = 33;
const QUESTION = 63;
const EQUALS = 61;
const DASH = 45;
const QUOTE = 34;
const APOSTROPHE = 39;

/** What a byte is within a tag: 1 blank, 2 slash, 4 >, 8 =. */
const IN_TAG = new Uint8Array(256);
for (const c of [9, 10, 12, 13, 32]) IN_TAG[c] = 1;
IN_TAG[SLASH] = 2;
IN_TAG[GT] = 4;
IN_TAG[EQUALS] = 8;
const ENDS_NAME = 1 | 2 | 4;

const isLetter = (c: number): boolean => (c | 32) >= 97 && (c | 32) <= 122;

/** Number of the element whose content is text only, which starts where the last start tag ended; 0: none. */
let pending = 0;
const TEXT_ONLY = new Uint8Array(256);
for (const name of ['script', 'style', 'xmp', 'iframe', 'noembed', 'noframes', 'title', 'textarea', 'plaintext']) {
  TEXT_ONLY[T[name as keyof typeof T]] = 1;
}

/** From a name's first letter to after the `>`; -1 when the page ends first, and then it is no tag. */
function startTag(page: Buffer, from: number, n: number, tape: Tokens): number {
  pending = 0;
  let i = from;
  let c = page[i]!;
  let hash = 0;
  do {
    hash = hashStep(hash, c);
    if (++i >= n) return -1;
    c = page[i]!;
  } while ((IN_TAG[c]! & ENDS_NAME) === 0);
  const tag = tape.start(from, i, hashEnd(hash, i - from));
  let selfClosing = false;
  if (c !== GT) {
    i = attributes(page, i, n, tape);
    if (i < 0) return -1;
    selfClosing = page[i - 1] === SLASH && slashAlone;
  }
  const foreign = tape.inForeign();
  tape.startEnd(selfClosing);
  if (TEXT_ONLY[tag] === 1 && !foreign && !(selfClosing && tape.xml)) pending = tag;
  return i + 1;
}

/** Whether the slash before the last `>` stood alone, not at the end of a value. */
let slashAlone = false;

/** Reads attributes up to the `>`, whose place it answers; -1 when the page ends first. */
function attributes(page: Buffer, from: number, n: number, tape: Tokens | null): number {
  let i = from;
  slashAlone = false;
  for (;;) {
    // Before a name.
    let c = page[i]!;
    let k = IN_TAG[c]!;
    while ((k & 3) !== 0) {
      slashAlone = k === 2;
      if (++i >= n) return -1;
      c = page[i]!;
      k = IN_TAG[c]!;
    }
    if (k === 4) return i;
    slashAlone = false;
    const nameFrom = i;
    let hash = 0;
    do {
      hash = hashStep(hash, c);
      if (++i >= n) return -1;
      c = page[i]!;
      k = IN_TAG[c]!;
    } while (k === 0);
    const nameTo = i;
    while (k === 1) {
      if (++i >= n) return -1;
      c = page[i]!;
      k = IN_TAG[c]!;
    }
    if (k !== 8) {
      if (tape !== null) tape.attributeAt(nameFrom, nameTo, nameTo, nameTo, hashEnd(hash, nameTo - nameFrom));
      continue;
    }
    do {
      if (++i >= n) return -1;
      c = page[i]!;
      k = IN_TAG[c]!;
    } while (k === 1);
    let valueFrom = i;
    let valueTo = i;
    if (c === QUOTE || c === APOSTROPHE) {
      valueFrom = ++i;
      const near = Math.min(n, i + 64);
      while (i < near && page[i] !== c) i++;
      if (i === near) {
        i = near < n ? page.indexOf(c, near) : -1;
        if (i < 0) return -1;
      }
      valueTo = i++;
      if (i >= n) return -1;
    } else if (k !== 4) {
      while ((k & 5) === 0) {
        if (++i >= n) return -1;
        k = IN_TAG[page[i]!]!;
      }
      valueTo = i;
    }
    if (tape !== null) tape.attributeAt(nameFrom, nameTo, valueFrom, valueTo, hashEnd(hash, nameTo - nameFrom));
  }
}

function endTag(page: Buffer, from: number, n: number, tape: Tokens): number {
  let i = from;
  let c = page[i]!;
  let hash = 0;
  do {
    hash = hashStep(hash, c);
    if (++i >= n) return -1;
    c = page[i]!;
  } while ((IN_TAG[c]! & ENDS_NAME) === 0);
  const nameTo = i;
  if (c !== GT) {
    i = attributes(page, i, n, null);
    if (i < 0) return -1;
  }
  tape.close(from, nameTo, hashEnd(hash, nameTo - from));
  return i + 1;
}

/** From `<!`: where the `>` of a comment, doctype or CDATA section stands; -1 when the page ends first. */
function declaration(page: Buffer, at: number, n: number, tape: Tokens): number {
  if (page[at + 2] === DASH && page[at + 3] === DASH) {
    const from = at + 4;
    if (page[from] === GT) return from;
    if (page[from] === DASH && page[from + 1] === GT) return from + 1;
    for (let gt = page.indexOf(GT, from); gt >= 0; gt = page.indexOf(GT, gt + 1)) {
      // `-->`, or `--!>`.
      const bang = page[gt - 1] === BANG ? 1 : 0;
      if (page[gt - 1 - bang] === DASH && page[gt - 2 - bang] === DASH && gt - 2 - bang >= from) {
        tape.comment(from, gt - 2 - bang);
        return gt;
      }
    }
    return -1;
  }
  if (page[at + 2] === 91 && (tape.xml || tape.inForeign()) && page.toString('latin1', at + 2, at + 9) === '[CDATA[') {
    const end = page.indexOf(']]>', at + 9, 'latin1');
    tape.raw(at + 9, end < 0 ? n : end);
    return end < 0 ? -1 : end + 2;
  }
  return page.indexOf(GT, at + 2);
}

/**
 * The content of an element that holds text only, and its end tag; answers where that ended, -1 when it never did.
 */
function textOnly(page: Buffer, from: number, n: number, tape: Tokens, tag: number): number {
  if (tag === T.plaintext) {
    tape.raw(from, n);
    return -1;
  }
  const lt = tag === T.script ? scriptEnd(page, from, n) : rawEnd(page, from, n, tag);
  const to = lt < 0 ? n : lt;
  if (tag === T.title || tag === T.textarea) tape.text(from, to);
  else tape.raw(from, to);
  if (lt < 0) return -1;
  return endTag(page, lt + 2, n, tape);
}

const NAMES: ReadonlyMap<number, Buffer> = new Map<number, Buffer>(
  ['script', 'style', 'xmp', 'iframe', 'noembed', 'noframes', 'title', 'textarea'].map((name) => [
    T[name as keyof typeof T],
    Buffer.from(name),
  ]),
);
const SCRIPT = NAMES.get(T.script)!;

/** Whether `name` stands at `at`, in any case, and ends there. */
function named(page: Buffer, at: number, n: number, name: Buffer): boolean {
  const end = at + name.length;
  if (end >= n || (IN_TAG[page[end]!]! & ENDS_NAME) === 0) return false;
  for (let i = 0; i < name.length; i++) if ((page[at + i]! | 32) !== name[i]) return false;
  return true;
}

function rawEnd(page: Buffer, from: number, n: number, tag: number): number {
  const name = NAMES.get(tag)!;
  for (let lt = page.indexOf(LT, from); lt >= 0; lt = page.indexOf(LT, lt + 1)) {
    if (page[lt + 1] === SLASH && named(page, lt + 2, n, name)) return lt;
  }
  return -1;
}

/**
 * A script ends at `</script`, unless a `<!--` and then a `<script` stand before it: then the first `</script` only ends
 * that inner one ("script data double escaped").
 */
function scriptEnd(page: Buffer, from: number, n: number): number {
  let i = from;
  for (;;) {
    const lt = page.indexOf(LT, i);
    if (lt < 0) return -1;
    if (page[lt + 1] === SLASH) {
      if (named(page, lt + 2, n, SCRIPT)) return lt;
      i = lt + 2;
    } else if (page[lt + 1] === BANG && page[lt + 2] === DASH && page[lt + 3] === DASH) {
      // Escaped. Its dashes may already be those of the `-->` that ends it.
      let double = false;
      let dashes = 2;
      for (i = lt + 4; i < n; i++) {
        const c = page[i]!;
        if (c === DASH) {
          dashes++;
          continue;
        }
        if (c === GT && dashes >= 2) break;
        dashes = 0;
        if (c !== LT) continue;
        if (page[i + 1] === SLASH) {
          if (!named(page, i + 2, n, SCRIPT)) continue;
          if (!double) return i;
          double = false;
          i += 7;
        } else if (!double && named(page, i + 1, n, SCRIPT)) {
          double = true;
          i += 6;
        }
      }
      if (i >= n) return -1;
    } else i = lt + 1;
  }
}
