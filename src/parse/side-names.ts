/**
 * Words in a class or an id that tell a menu, a footer, a share bar from content. Compared by hash, straight from the
 * bytes: most elements have a class, and hardly any of them is a menu.
 */
const WORDS = (
  'nav navbar navigation menu sidebar footer foot breadcrumb breadcrumbs cookie cookies consent banner advert adverts ' +
  'advertisement ad ads sponsor sponsored promo share sharing social comment comments disqus related recommend ' +
  'recommended recommendation recommendations newsletter subscribe signup popup modal pagination pager toolbar widget ' +
  'masthead skip'
).split(' ');

/** Of 24 bits, cut to them at the end. */
const hashOf = (h: number, c: number): number => Math.imul(h, 33) ^ c;
const BITS = 0xffffff;
const EMPTY = 5381;
/** A byte of a word, its letters small; 0 between words. */
const IN_WORD = new Uint8Array(256);
for (let c = 33; c < 256; c++) if (c !== 45 && c !== 95) IN_WORD[c] = c >= 65 && c <= 90 ? c | 32 : c;
const SLOTS = new Int32Array(1024).fill(-1);
for (const word of WORDS) {
  let h = EMPTY;
  for (let i = 0; i < word.length; i++) h = hashOf(h, word.charCodeAt(i));
  h &= BITS;
  let slot = h & 1023;
  while (SLOTS[slot] !== -1 && SLOTS[slot] !== h) slot = (slot + 1) & 1023;
  SLOTS[slot] = h;
}

function known(hash: number): boolean {
  let slot = hash & 1023;
  for (;;) {
    const found = SLOTS[slot]!;
    if (found === hash) return true;
    if (found === -1) return false;
    slot = (slot + 1) & 1023;
  }
}

/** Whether a word of a value (between blanks, `-` and `_`) is one of them. */
export function tokensOf(bytes: Uint8Array, from: number, to: number): boolean {
  let h = EMPTY;
  for (let i = from; i < to; i++) {
    const c = IN_WORD[bytes[i]!]!;
    if (c !== 0) h = hashOf(h, c);
    else {
      if (h !== EMPTY && known(h & BITS)) return true;
      h = EMPTY;
    }
  }
  return h !== EMPTY && known(h & BITS);
}
