/** Bytes in which the standard looks for a meta element that names the encoding. */
const WINDOW = 1024;

/**
 * What a meta element in the first kilobyte says of the encoding: the prescan of the HTML Standard (13.2.3.2); '' when none
 * says anything. `encodingOf`: the encoding of a label, '' for none.
 *
 * Cost: one look at those bytes; strings are made of what meta elements say alone.
 */
export function prescan(body: Uint8Array, encodingOf: (label: string) => string): string {
  const head = Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, WINDOW));
  for (let at = head.indexOf(LT); at >= 0; at = head.indexOf(LT, at + 1)) {
    const c = head[at + 1]!;
    if (c === BANG && head[at + 2] === DASH && head[at + 3] === DASH) {
      // The dashes that begin a comment may end it too.
      at = head.indexOf('-->', at + 2, 'latin1');
      if (at < 0) return '';
    } else if (isLetter(c) || (c === SLASH && isLetter(head[at + 2]!))) {
      if (isMeta(head, at + 1)) {
        place = at + 5;
        const charset = metaCharset(head, encodingOf);
        if (charset !== '') return charset;
      } else {
        place = at + 2;
        while (place < head.length && head[place] !== GT && !isBlank(head[place]!)) place++;
        while (attribute(head));
      }
      at = place;
    } else if (c === BANG || c === SLASH || c === QUESTION) {
      at = head.indexOf(GT, at + 2);
      if (at < 0) return '';
    }
  }
  return '';
}

/** Of the meta element whose attributes begin at `place`. */
function metaCharset(head: Buffer, encodingOf: (label: string) => string): string {
  let charset = '';
  let pragma = false;
  let needsPragma = false;
  let seen = '';
  while (attribute(head)) {
    const length = nameTo - nameFrom;
    if (length !== 7 && length !== 10) continue;
    const name = head.toString('latin1', nameFrom, nameTo).toLowerCase();
    if ((name !== 'charset' && name !== 'content' && name !== 'http-equiv') || seen.includes(name)) continue;
    seen += `${name} `;
    const value = head.toString('latin1', valueFrom, valueTo).toLowerCase();
    if (name === 'http-equiv') pragma = value === 'content-type';
    else if (name === 'charset') {
      charset = encodingOf(value);
      needsPragma = false;
    } else if (charset === '') {
      charset = encodingOf(labelIn(value));
      needsPragma = true;
    }
  }
  if (needsPragma && !pragma) return '';
  return charset.startsWith('utf-16') ? 'utf-8' : charset === 'x-user-defined' ? 'windows-1252' : charset;
}

/** The label in `text/html; charset=utf-8`. */
function labelIn(content: string): string {
  const found = /charset[\t\n\f\r ]*=[\t\n\f\r ]*(?:"([^"]*)"|'([^']*)'|([^"'\t\n\f\r ;][^\t\n\f\r ;]*))/.exec(content);
  return found?.[1] ?? found?.[2] ?? found?.[3] ?? '';
}

let place = 0;
let nameFrom = 0;
let nameTo = 0;
let valueFrom = 0;
let valueTo = 0;

/** Reads the attribute at `place` and moves behind it; false at the end of the tag, and for one that the window cuts off. */
function attribute(head: Buffer): boolean {
  const n = head.length;
  let i = place;
  while (i < n && (head[i] === SLASH || isBlank(head[i]!))) i++;
  place = i;
  if (i === n || head[i] === GT) return false;
  place = n;
  nameFrom = i;
  while (i < n && (head[i] !== EQUALS || i === nameFrom) && head[i] !== SLASH && head[i] !== GT && !isBlank(head[i]!))
    i++;
  nameTo = valueFrom = valueTo = i;
  while (i < n && isBlank(head[i]!)) i++;
  if (i === n) return false;
  if (head[i] === EQUALS) {
    do i++;
    while (i < n && isBlank(head[i]!));
    const quote = head[i];
    valueFrom = i;
    if (quote === QUOTE || quote === APOSTROPHE) {
      valueTo = head.indexOf(quote, ++valueFrom);
      if (valueTo < 0) return false;
      i = valueTo + 1;
    } else {
      while (i < n && head[i] !== GT && !isBlank(head[i]!)) i++;
      if (i === n) return false;
      valueTo = i;
    }
  }
  place = i;
  return true;
}

/** Whether `meta` stands at `at`, and ends there. */
const isMeta = (head: Buffer, at: number): boolean =>
  (head[at]! | 32) === 109 &&
  (head[at + 1]! | 32) === 101 &&
  (head[at + 2]! | 32) === 116 &&
  (head[at + 3]! | 32) === 97 &&
  (head[at + 4] === SLASH || isBlank(head[at + 4]!));
const isLetter = (c: number): boolean => (c | 32) >= 97 && (c | 32) <= 122;
const isBlank = (c: number): boolean => c === 32 || c === 10 || c === 13 || c === 9 || c === 12;

const BANG = 33;
const QUOTE = 34;
const APOSTROPHE = 39;
const DASH = 45;
const SLASH = 47;
const LT = 60;
const EQUALS = 61;
const GT = 62;
const QUESTION = 63;
