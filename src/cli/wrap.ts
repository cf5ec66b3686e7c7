/**
 * Text broken between words into lines of at most `width` columns; a word that is wider stands alone. Sequences that
 * switch bold on and off take no room.
 */
export function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  let used = 0;
  for (const word of text.split(' ')) {
    if (word === '') continue;
    const room = columnsOf(word);
    if (line !== '' && used + 1 + room > width) {
      lines.push(line);
      line = '';
      used = 0;
    }
    line += line === '' ? word : ` ${word}`;
    used += used === 0 ? room : room + 1;
  }
  if (line !== '') lines.push(line);
  return lines;
}

/** Columns of a terminal: Chinese, Japanese and Korean signs take two, accents that combine none. */
function columnsOf(text: string): number {
  let columns = 0;
  for (const sign of text.replaceAll(/\x1b\[[01]m/g, ''))
    columns += /\p{Mark}/u.test(sign)
      ? 0
      : /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60]/.test(sign)
        ? 2
        : 1;
  return columns;
}
