/**
 * The element names that matter to reading a page, each with a small number and with what the HTML standard says of it.
 * Numbers are for one process; they are never written to disk. 0 stands for any other name.
 */
const names = (list: string): readonly string[] => list.split(' ');

const TAGS = names(
  'a abbr address annotation-xml applet area article aside audio b base basefont bgsound big blockquote body br button ' +
    'canvas caption center cite code col colgroup dd del desc details dfn dialog dir div dl dt em embed fieldset ' +
    'figcaption figure font footer foreignobject form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i ' +
    'iframe img image input ins kbd keygen label legend li link listing main map mark marquee math menu meta mi mn mo ' +
    'ms mtext nav nobr noembed noframes noscript object ol optgroup option output p param picture plaintext pre q rb rp ' +
    'rt rtc ruby s samp script search section select small source span strike strong style sub summary sup svg table ' +
    'tbody td template textarea tfoot th thead time title tr track tt u ul var video wbr xmp',
);

/** Number of each name. */
export const T: Readonly<Record<string, number>> = Object.freeze(
  Object.assign(Object.create(null), Object.fromEntries(TAGS.map((name, i) => [name, i + 1]))),
);
export const tagName = (tag: number): string => (tag === 0 ? '' : TAGS[tag - 1]!);
export const TAG_COUNT = TAGS.length + 1;

/** Words on both sides of it are apart: a block, a cell, a line break, an option. */
export const BREAK = 1;
/** It has no content and no end tag. */
export const VOID = 2;
/** What stands in it is no visible text. */
export const SKIP = 4;
/** Never main text, as a whole. */
export const ASIDE = 8;
/** "Special" in the standard: an end tag of an inline element does not reach past it. */
export const SPECIAL = 16;
/** End tags of blocks do not reach past it. */
export const SCOPE = 32;
/** An HTML element that ends foreign content (SVG, MathML) where it starts. */
export const BREAKOUT = 64;
/** Plain inline markup: worth a place on the tape only for its attributes. */
export const INLINE = 128;

const flagged: readonly (readonly [number, string])[] = [
  [
    BREAK,
    'address article aside blockquote body br caption center col colgroup dd details dialog dir div dl dt fieldset ' +
      'figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol optgroup ' +
      'option p pre search section select summary table tbody td textarea tfoot th thead tr ul',
  ],
  [VOID, 'area base basefont bgsound br col embed frame hr img image input keygen link meta param source track wbr'],
  [SKIP, 'script style template iframe object title noscript noframes noembed frameset'],
  [ASIDE, 'nav footer aside button select textarea dialog menu svg canvas audio video noscript'],
  [
    SPECIAL,
    'address applet area article aside base basefont bgsound blockquote body br button caption center col colgroup dd ' +
      'details dir div dl dt embed fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header ' +
      'hgroup hr html iframe img image input keygen li link listing main marquee menu meta nav noembed noframes noscript ' +
      'object ol p param plaintext pre script search section select source style summary table tbody td template textarea ' +
      'tfoot th thead title tr track ul wbr xmp foreignobject desc mi mo mn ms mtext annotation-xml',
  ],
  [SCOPE, 'applet caption html table td th marquee object template foreignobject desc mi mo mn ms mtext'],
  [
    BREAKOUT,
    'b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta ' +
      'nobr ol p pre ruby s small span strong strike sub sup table tt u ul var',
  ],
  [
    INLINE,
    'a abbr b big cite code del dfn em font i ins kbd label map mark nobr output picture q rb rp rt rtc ruby s samp small ' +
      'span strike strong sub sup time tt u var listing xmp plaintext',
  ],
];
export const FLAGS = new Uint8Array(TAG_COUNT);
for (const [flag, list] of flagged) for (const name of names(list)) FLAGS[T[name]!]! |= flag;

/** How the start of an element changes what is open. See Nesting.start. */
export const RULE = {
  none: 0,
  closesP: 1,
  heading: 2,
  li: 3,
  dt: 4,
  a: 5,
  button: 6,
  option: 7,
  optgroup: 8,
  cell: 9,
  row: 10,
  rows: 11,
  caption: 12,
  table: 13,
  page: 14,
  form: 15,
  col: 16,
} as const;
const ruled: readonly (readonly [number, string])[] = [
  [
    RULE.closesP,
    'address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer header hgroup hr ' +
      'main menu nav ol p plaintext pre listing search section summary ul xmp',
  ],
  [RULE.heading, 'h1 h2 h3 h4 h5 h6'],
  [RULE.li, 'li'],
  [RULE.dt, 'dd dt'],
  [RULE.a, 'a'],
  [RULE.button, 'button'],
  [RULE.option, 'option'],
  [RULE.optgroup, 'optgroup'],
  [RULE.cell, 'td th'],
  [RULE.row, 'tr'],
  [RULE.rows, 'tbody thead tfoot'],
  [RULE.caption, 'caption colgroup'],
  [RULE.table, 'table'],
  [RULE.page, 'html head body'],
  [RULE.form, 'form'],
  [RULE.col, 'col'],
];
export const RULES = new Uint8Array(TAG_COUNT);
for (const [rule, list] of ruled) for (const name of names(list)) RULES[T[name]!] = rule;

/** The attributes that are kept. */
const ATTRIBUTES = names(
  'href src alt rel name content http-equiv property charset id class role hidden aria-hidden style itemprop lang ' +
    'datetime type method action hreflang data-nosnippet data-pagefind-ignore data-pagefind-body data-pagefind-meta ' +
    'data-pagefind-index-attrs xml:lang title media xlink:href',
);
export const A: Readonly<Record<string, number>> = Object.freeze(
  Object.assign(Object.create(null), Object.fromEntries(ATTRIBUTES.map((name, i) => [name, i + 1]))),
);

/** Names of ASCII letters, found by hash and compared byte for byte; case does not matter. */
class Names {
  private readonly slots = new Uint8Array(2048);
  private readonly bytes: Uint8Array[] = [new Uint8Array(0)];
  private readonly longest: number;

  constructor(list: readonly string[]) {
    this.longest = Math.max(...list.map((name) => name.length));
    list.forEach((name, i) => {
      const bytes = new TextEncoder().encode(name);
      this.bytes.push(bytes);
      let slot = nameHash(bytes, 0, bytes.length) & 2047;
      while (this.slots[slot] !== 0) slot = (slot + 1) & 2047;
      this.slots[slot] = i + 1;
    });
  }

  /** 1 + its place in the list, 0 for another name. */
  find(source: Uint8Array, from: number, to: number, hash: number): number {
    if (to - from > this.longest) return 0;
    let slot = hash & 2047;
    for (;;) {
      const id = this.slots[slot]!;
      if (id === 0) return 0;
      const name = this.bytes[id]!;
      if (name.length === to - from) {
        let i = 0;
        while (i < name.length && lower(source[from + i]!) === name[i]) i++;
        if (i === name.length) return id;
      }
      slot = (slot + 1) & 2047;
    }
  }
}

const lower = (c: number): number => (c >= 65 && c <= 90 ? c | 32 : c);

/** Of a name in any case; also tells unknown names apart. */
export function nameHash(source: Uint8Array, from: number, to: number): number {
  let h = to - from;
  for (let i = from; i < to; i++) h = (Math.imul(h, 31) + (source[i]! | 32)) | 0;
  return (h ^ (h >>> 11)) & 0x3fffffff;
}

const tags = new Names(TAGS);
const attributes = new Names(ATTRIBUTES);
export const findTag = (source: Uint8Array, from: number, to: number, hash: number): number =>
  tags.find(source, from, to, hash);
export function findAttribute(source: Uint8Array, from: number, to: number): number {
  const length = to - from;
  if (length < 2 || length > 25) return 0;
  return attributes.find(source, from, to, nameHash(source, from, to));
}
