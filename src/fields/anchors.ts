/** A link to a page, as far as its anchor goes. */
export interface AnchorLink {
  /** Host of the page that links. */
  readonly host: string;
  readonly anchor: string;
}

/**
 * The anchor texts to index with a page. `per-host`: a text counts once a linking host, so that a menu repeated over a
 * site weighs as one link; `unique`: once in all; `all`: as often as it comes. Case and white space do not make a
 * difference. The first `most` in the order given are kept, so the caller's order decides.
 */
export function anchorTexts(
  links: Iterable<AnchorLink>,
  mode: 'per-host' | 'unique' | 'all',
  most: number,
): readonly string[] {
  const seen = new Set<string>();
  const texts: string[] = [];
  for (const { host, anchor } of links) {
    if (texts.length >= most) break;
    const text = anchor.replaceAll(/\s+/g, ' ').trim();
    if (text === '') continue;
    const folded = text.toLowerCase();
    const key = mode === 'per-host' ? `${host}\n${folded}` : folded;
    if (mode !== 'all') {
      if (seen.has(key)) continue;
      seen.add(key);
    }
    texts.push(text);
  }
  return texts;
}
