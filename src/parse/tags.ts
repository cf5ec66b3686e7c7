/**
 * The element names that matter to reading a page, each with a small number and with what the HTML standard says of it.
 * Numbers are for one process; they are never written to disk. 0 stands for any other name.
 */
const names = (list: string): readonly string[] => list.split(' ');

/** Number of each name. A literal, so that the numbers are constants to the compiler. */
export const T = {
  a: 1,
  abbr: 2,
  address: 3,
  'annotation-xml': 4,
  applet: 5,
  area: 6,
  article: 7,
  aside: 8,
  audio: 9,
  b: 10,
  base: 11,
  basefont: 12,
  bgsound: 13,
  big: 14,
  blockquote: 15,
  body: 16,
  br: 17,
  button: 18,
  canvas: 19,
  caption: 20,
  center: 21,
  cite: 22,
  code: 23,
  col: 24,
  colgroup: 25,
  dd: 26,
  del: 27,
  desc: 28,
  details: 29,
  dfn: 30,
  dialog: 31,
  dir: 32,
  div: 33,
  dl: 34,
  dt: 35,
  em: 36,
  embed: 37,
  fieldset: 38,
  figcaption: 39,
  figure: 40,
  font: 41,
  footer: 42,
  foreignobject: 43,
  form: 44,
  frame: 45,
  frameset: 46,
  h1: 47,
  h2: 48,
  h3: 49,
  h4: 50,
  h5: 51,
  h6: 52,
  head: 53,
  header: 54,
  hgroup: 55,
  hr: 56,
  html: 57,
  i: 58,
  iframe: 59,
  img: 60,
  image: 61,
  input: 62,
  ins: 63,
  kbd: 64,
  keygen: 65,
  label: 66,
  legend: 67,
  li: 68,
  link: 69,
  listing: 70,
  main: 71,
  map: 72,
  mark: 73,
  marquee: 74,
  math: 75,
  menu: 76,
  meta: 77,
  mi: 78,
  mn: 79,
  mo: 80,
  ms: 81,
  mtext: 82,
  nav: 83,
  nobr: 84,
  noembed: 85,
  noframes: 86,
  noscript: 87,
  object: 88,
  ol: 89,
  optgroup: 90,
  option: 91,
  output: 92,
  p: 93,
  param: 94,
  picture: 95,
  plaintext: 96,
  pre: 97,
  q: 98,
  rb: 99,
  rp: 100,
  rt: 101,
  rtc: 102,
  ruby: 103,
  s: 104,
  samp: 105,
  script: 106,
  search: 107,
  section: 108,
  select: 109,
  small: 110,
  source: 111,
  span: 112,
  strike: 113,
  strong: 114,
  style: 115,
  sub: 116,
  summary: 117,
  sup: 118,
  svg: 119,
  table: 120,
  tbody: 121,
  td: 122,
  template: 123,
  textarea: 124,
  tfoot: 125,
  th: 126,
  thead: 127,
  time: 128,
  title: 129,
  tr: 130,
  track: 131,
  tt: 132,
  u: 133,
  ul: 134,
  var: 135,
  video: 136,
  wbr: 137,
  xmp: 138,
} as const;
const TAGS: readonly string[] = Object.keys(T);
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
for (const [flag, list] of flagged) for (const name of names(list)) FLAGS[T[name as keyof typeof T]]! |= flag;

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
for (const [rule, list] of ruled) for (const name of names(list)) RULES[T[name as keyof typeof T]] = rule;

/** The attributes that are kept; at most 31. */
export const A = {
  id: 1,
  class: 2,
  role: 3,
  hidden: 4,
  'aria-hidden': 5,
  style: 6,
  itemprop: 7,
  'data-nosnippet': 8,
  'data-pagefind-ignore': 9,
  'data-pagefind-body': 10,
  href: 11,
  rel: 12,
  name: 13,
  'xlink:href': 14,
  alt: 15,
  type: 16,
  hreflang: 17,
  title: 18,
  content: 19,
  'http-equiv': 20,
  property: 21,
  src: 22,
  action: 23,
  method: 24,
  lang: 25,
  'xml:lang': 26,
  datetime: 27,
  charset: 28,
} as const;
const ATTRIBUTES: readonly string[] = Object.keys(A);

/** For each element, bit `A[name]` of the attributes that say something there; the others are not kept. */
export const KEPT = new Int32Array(TAG_COUNT);
const bits = (list: string): number => names(list).reduce((set, name) => set | (1 << A[name as keyof typeof A]), 0);
const ANYWHERE = bits(
  'id class role hidden aria-hidden style itemprop data-nosnippet data-pagefind-ignore data-pagefind-body',
);
for (let tag = 0; tag < TAG_COUNT; tag++) {
  const flags = FLAGS[tag]!;
  // The class of inline markup says how it looks; that of a block, often, what it is.
  KEPT[tag] = (flags & VOID) !== 0 ? 0 : (flags & INLINE) !== 0 ? ANYWHERE & ~bits('class') : ANYWHERE;
}
for (const [tag, list] of [
  ['a', 'href rel name xlink:href'],
  ['area', 'href rel alt'],
  ['img', 'alt'],
  ['image', 'alt'],
  ['link', 'href rel type hreflang title'],
  ['meta', 'name content http-equiv property itemprop charset'],
  ['iframe', 'src title'],
  ['frame', 'src title'],
  ['form', 'action method'],
  ['base', 'href'],
  ['html', 'lang xml:lang'],
  ['time', 'datetime'],
] as const) {
  KEPT[T[tag]]! |= bits(list);
}
KEPT[T.script] = bits('type');
KEPT[T.style] = 0;

/** Hash of a name in any case, byte by byte: 0, a step a byte, hashEnd with the length. Also tells unknown names apart. */
export const hashStep = (h: number, c: number): number => Math.imul(h ^ (c | 32), 0x01000193);
export const hashEnd = (h: number, length: number): number =>
  (h ^ (h >>> 15) ^ Math.imul(length, 0x9e3779b1)) & 0x3fffffff;

export function nameHash(source: Uint8Array, from: number, to: number): number {
  let h = 0;
  for (let i = from; i < to; i++) h = hashStep(h, source[i]!);
  return hashEnd(h, to - from);
}

/**
 * Names by hash. The 30 bits (length among them) are compared, not the letters: that another name has the same ones is
 * a chance of one in a million, and would make an unknown element a known one.
 */
class Names {
  private readonly slots = new Uint8Array(2048);
  private readonly hashes: Int32Array;

  constructor(list: readonly string[]) {
    this.hashes = new Int32Array(list.length + 1);
    list.forEach((name, i) => {
      const hash = nameHash(new TextEncoder().encode(name), 0, name.length);
      if (this.hashes.includes(hash)) throw new Error(`two names share a hash: ${name}`);
      this.hashes[i + 1] = hash;
      let slot = hash & 2047;
      while (this.slots[slot] !== 0) slot = (slot + 1) & 2047;
      this.slots[slot] = i + 1;
    });
  }

  /** 1 + its place in the list, 0 for another name. */
  find(hash: number): number {
    let slot = hash & 2047;
    for (;;) {
      const id = this.slots[slot]!;
      if (id === 0 || this.hashes[id] === hash) return id;
      slot = (slot + 1) & 2047;
    }
  }
}

const tags = new Names(TAGS);
const attributes = new Names(ATTRIBUTES);
export const findTag = (hash: number): number => tags.find(hash);
export const findAttribute = (hash: number): number => attributes.find(hash);
