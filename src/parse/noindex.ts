/** Comments by which owners of a site switch indexing off and on again, as crawlers of the last decades knew them. */
const MARKS: readonly (readonly [RegExp, number])[] = [
  [
    /^\s*(googleoff:\s*(all|index)|(htdig_|sphider_|robots\s+)?noindex|start\s+noindex|swishcommand\s+noindex|robots content="noindex")\s*$/i,
    1,
  ],
  [
    /^\s*(googleon:\s*(all|index)|\/(htdig_|sphider_)?noindex|(robots\s+)?index|end\s+noindex|swishcommand\s+index)\s*$/i,
    0,
  ],
];
/** What a mark begins with; bit 5 makes letters small and leaves the slash as it is. */
const BEGINS: ReadonlySet<number> = new Set(Buffer.from('ghsrnie/'));
/** What a comment's content says: 1 off, 0 on, -1 nothing. Comments of other lengths say nothing. */
export function noindexMark(bytes: Uint8Array, from: number, to: number): number {
  if (to - from < 7 || to - from > 64) return -1;
  // Nearly all comments are others, and show it by their first letter.
  let first = from;
  while (first < to && (bytes[first]! <= 32 || bytes[first] === 0xa0)) first++;
  if (!BEGINS.has(bytes[first]! | 32)) return -1;
  let said = '';
  for (let i = from; i < to; i++) said += String.fromCharCode(bytes[i]!);
  if (!/index|google/i.test(said)) return -1;
  for (const [mark, state] of MARKS) if (mark.test(said)) return state;
  return -1;
}
