/** Limits of the shape of an address; see `scope` in options. -1: no limit. */
export interface TrapLimits {
  readonly maxSegments: number;
  readonly maxParams: number;
  readonly maxRepeats: number;
}

/**
 * What about an address looks like a trap (an endless space of addresses made by a server), as a fragment for people, or
 * null. Broken relative links make `/a/b/a/b/a/b`: a run of segments repeated on the spot; calendars and filters make
 * many segments or parameters. `/2024/01/01/news` and `/a/b/a/c` are none.
 */
export function trapOf(url: string, limits: TrapLimits): string | null {
  const start = url.indexOf('/', url.indexOf('://') + 3);
  const queryAt = url.indexOf('?');
  if (queryAt < 0 && isShort(url, start, limits)) return null;
  const path = start < 0 ? '' : url.slice(start + 1, queryAt < 0 ? undefined : queryAt);
  const segments = path.split('/');
  if (segments[segments.length - 1] === '') segments.pop();
  if (limits.maxSegments >= 0 && segments.length > limits.maxSegments)
    return `${segments.length} path segments, ${limits.maxSegments} are allowed`;
  if (limits.maxParams >= 0 && queryAt >= 0) {
    const params = url.slice(queryAt + 1).split('&').length;
    if (params > limits.maxParams) return `${params} query parameters, ${limits.maxParams} are allowed`;
  }
  if (limits.maxRepeats > 1) {
    const run = repeatedRun(segments, limits.maxRepeats);
    if (run) return `/${run} is repeated ${limits.maxRepeats} times or more`;
  }
  return null;
}

/**
 * True when a path surely is no trap, without taking it apart: too few segments for a run of two to be repeated often
 * enough, and no two alike in a row. Most addresses are of this kind.
 */
function isShort(url: string, start: number, { maxSegments, maxRepeats }: TrapLimits): boolean {
  if (start < 0 || maxRepeats < 2) return false;
  let segments = 0;
  let before = -1;
  for (let at = start + 1; at <= url.length; ) {
    let end = url.indexOf('/', at);
    if (end < 0) end = url.length;
    if (end - at === before && url.startsWith(url.slice(at - before - 1, at - 1), at)) return false;
    before = end - at;
    segments++;
    at = end + 1;
  }
  return segments < 2 * maxRepeats && (maxSegments < 0 || segments <= maxSegments);
}

/** The first run of segments that stands `times` times in a row; a run of digits only (a date) does not count. */
function repeatedRun(segments: readonly string[], times: number): string | null {
  const most = Math.floor(segments.length / times);
  for (let length = 1; length <= most; length++) {
    let same = 0;
    for (let at = length; at < segments.length; at++) {
      same = segments[at] === segments[at - length] ? same + 1 : 0;
      if (same < length * (times - 1)) continue;
      const run = segments.slice(at - length + 1, at + 1);
      if (!run.every((segment) => /^\d*$/.test(segment))) return run.join('/');
    }
  }
  return null;
}
