/** A link to a page, as far as its anchor goes. */
export interface AnchorLink {
  /** Host of the page that links. */
  readonly host: string;
  readonly anchor: string;
}

/**
 * The links whose anchors are indexed with a page, their texts tidied. `per-host`: a text counts once a linking host, so
 * that a menu repeated over a site weighs as one link; `unique`: once in all; `all`: as often as it comes. Case and white
 * space do not make a difference. The first `most` in the order given are kept, so the caller's order decides. Choosing
 * among what was chosen changes nothing.
 */
export function chooseAnchors(
  links: Iterable<AnchorLink>,
  mode: 'per-host' | 'unique' | 'all',
  most: number,
): readonly AnchorLink[] {
  const seen = new Set<string>();
  const chosen: AnchorLink[] = [];
  for (const { host, anchor } of links) {
    if (chosen.length >= most) break;
    const text = anchor.replaceAll(/\s+/g, ' ').trim();
    if (text === '') continue;
    if (mode !== 'all') {
      const folded = text.toLowerCase();
      const key = mode === 'per-host' ? `${host}\n${folded}` : folded;
      if (seen.has(key)) continue;
      seen.add(key);
    }
    chosen.push({ host, anchor: text });
  }
  return chosen;
}

/** Their texts alone. */
export const anchorTexts = (
  links: Iterable<AnchorLink>,
  mode: 'per-host' | 'unique' | 'all',
  most: number,
): readonly string[] => chooseAnchors(links, mode, most).map(({ anchor }) => anchor);
