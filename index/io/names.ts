/** Every file name in an index is made and parsed here. */

/** The kinds of file a segment consists of; the table in index/README.md says what each holds. */
export const SEGMENT_FILES = ['trm', 'rev', 'pst', 'skp', 'pos', 'nrm', 'col', 'sto', 'seg'] as const;
export type SegmentFile = (typeof SEGMENT_FILES)[number];

export const LOCK = 'write.lock';

/** A segment's name: letters, digits and '-', no '.' and no '_', which set the other parts of a file name apart. */
export const isSegmentName = (name: string): boolean => /^[A-Za-z0-9-]{1,100}$/.test(name);

export const segmentFile = (segment: string, kind: SegmentFile): string => `${segment}.${kind}`;
/** The live documents of a segment after its `generation`-th deletion. */
export const liveFile = (segment: string, generation: number): string => `${segment}_${generation}.liv`;
export const commitFile = (generation: number): string => `commit-${generation}`;

export function parseCommit(name: string): number | null {
  const match = /^commit-([1-9]\d{0,14})$/.exec(name);
  return match ? Number(match[1]) : null;
}

/** The segment a file belongs to, or null when it belongs to none. */
export function segmentOf(name: string): string | null {
  const dot = name.lastIndexOf('.');
  const kind = name.slice(dot + 1);
  if (dot <= 0) return null;
  const stem = name.slice(0, dot);
  if ((SEGMENT_FILES as readonly string[]).includes(kind)) return isSegmentName(stem) ? stem : null;
  const match = /^([^_]+)_\d+$/.exec(stem);
  return kind === 'liv' && match && isSegmentName(match[1]!) ? match[1]! : null;
}
