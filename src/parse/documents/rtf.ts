import { normalizeEncoding } from '@exodus/bytes/encoding.js';
import { decodeText } from '../charset.ts';
import { type DocumentText, documentDate, Lines } from './text.ts';

/** Groups whose content is no text. */
const SKIPPED = new Set(
  (
    'fonttbl colortbl stylesheet listtable listoverridetable rsidtbl generator pict object objdata themedata ' +
    'colorschememapping latentstyles datastore xmlnstbl mmathPr fldinst filetbl revtbl pntext private bkmkstart bkmkend ' +
    'author operator company manager category comment hlinkbase doccomm keywords subject nonshppict shpinst'
  ).split(' '),
);
/** Control words that stand for text. */
const SIGNS: Readonly<Record<string, string>> = {
  par: '\n',
  line: '\n',
  sect: '\n',
  page: '\n',
  row: '\n',
  tab: ' ',
  cell: ' ',
  emdash: '—',
  endash: '–',
  emspace: ' ',
  enspace: ' ',
  qmspace: ' ',
  bullet: '•',
  lquote: '‘',
  rquote: '’',
  ldblquote: '“',
  rdblquote: '”',
};
const MAX_GROUPS = 1000;

interface Group {
  readonly skip: boolean;
  readonly title: boolean;
  readonly aside: boolean;
  /** Bytes after `\u` that stand for the same. */
  readonly uc: number;
}

/**
 * Rich Text Format: the text, its title, its date of creation. Control words, groups, `\'hh` by the code page of
 * `\ansicpg`, `\u`. Never throws; a damaged file gives what can be read. Cost: linear.
 */
export function readRtf(body: Uint8Array): DocumentText {
  const source = Buffer.from(body.buffer, body.byteOffset, body.length).toString('latin1');
  const lines = new Lines();
  const aside = new Lines();
  let title = '';
  let created: number[] = [];
  let inCreated = false;
  let charset = 'windows-1252';
  let group: Group = { skip: false, title: false, aside: false, uc: 1 };
  const groups: Group[] = [];
  let bytes: number[] = [];
  let passOver = 0;
  let high = 0;

  const put = (text: string): void => {
    if (group.title) title += text;
    else if (!group.skip) (group.aside ? aside : lines).add(text);
  };
  const flush = (): void => {
    if (bytes.length === 0) return;
    put(decodeText(Uint8Array.from(bytes), charset));
    bytes = [];
  };
  const sign = (text: string): void => {
    flush();
    if (text === '\n') {
      if (!group.skip && !group.title) (group.aside ? aside : lines).end();
    } else put(text);
  };

  const token = /\\([a-z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-f]{2})|\\([^a-z])|([{}])|[\r\n]+|([^\\{}\r\n]+)|\\/gi;
  for (const [, word, number, hex, symbol, brace, text] of source.matchAll(token)) {
    if (brace === '{') {
      flush();
      if (groups.length < MAX_GROUPS) groups.push(group);
    } else if (brace === '}') {
      flush();
      group = groups.pop() ?? group;
      inCreated = false;
      passOver = 0;
    } else if (hex !== undefined) {
      if (passOver > 0) passOver--;
      else bytes.push(Number.parseInt(hex, 16));
    } else if (text !== undefined) {
      const rest = passOver > 0 ? text.slice(passOver) : text;
      passOver = Math.max(0, passOver - text.length);
      flush();
      // Eight-bit characters written as they are belong to the code page too.
      for (let i = 0; i < rest.length; i += 4096) {
        const piece = rest.slice(i, i + 4096);
        put(/[\x80-\xff]/.test(piece) ? decodeText(Buffer.from(piece, 'latin1'), charset) : piece);
      }
    } else if (symbol !== undefined) {
      if (symbol === '*') group = { ...group, skip: true };
      else if (symbol === '~') sign(' ');
      else if (symbol === '_') sign('-');
      else if (symbol === '\\' || symbol === '{' || symbol === '}') {
        if (passOver > 0) passOver--;
        else sign(symbol);
      } else if (symbol === '\n' || symbol === '\r') sign('\n');
    } else if (word !== undefined) {
      const value = number === undefined ? 0 : Number(number);
      if (word === 'u') {
        flush();
        const unit = value < 0 ? value + 65_536 : value;
        if (unit >= 0xd800 && unit < 0xdc00) high = unit;
        else {
          put(
            high !== 0 && unit >= 0xdc00 && unit < 0xe000 ? String.fromCharCode(high, unit) : String.fromCharCode(unit),
          );
          high = 0;
        }
        passOver = group.uc;
      } else if (word === 'uc') group = { ...group, uc: Math.min(8, Math.max(0, value)) };
      else if (word === 'ansicpg')
        charset = normalizeEncoding(value === 65_001 ? 'utf-8' : (PAGES[value] ?? `windows-${value}`)) ?? charset;
      else if (word === 'mac') charset = 'macintosh';
      else if (word === 'bin') passOver = 0;
      else if (SIGNS[word] !== undefined) sign(SIGNS[word]);
      else if (word === 'title') group = { ...group, skip: true, title: true };
      else if (word === 'info') group = { ...group, skip: true };
      else if (word === 'creatim') {
        inCreated = true;
        created = [];
      } else if (inCreated && (word === 'yr' || word === 'mo' || word === 'dy')) created.push(value);
      else if (word === 'header' || word === 'footer' || /^(header|footer)[lrf]$/.test(word))
        group = { ...group, aside: true };
      else if (SKIPPED.has(word)) group = { ...group, skip: true, title: false };
    }
  }
  flush();
  const [year = 0, month = 0, day = 0] = created;
  const cut = lines.cut;
  return {
    title: title.replace(/\s+/g, ' ').trim(),
    text: lines.text(),
    boilerplate: aside.text(),
    charset,
    published:
      year === 0 ? '' : documentDate(`${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`),
    problems: cut ? ['its text is longer than is kept'] : [],
  };
}
/** Code pages that are not `windows-N`. */
const PAGES: Readonly<Record<number, string>> = {
  932: 'shift_jis',
  936: 'gbk',
  949: 'euc-kr',
  950: 'big5',
  866: 'ibm866',
  10000: 'macintosh',
};
