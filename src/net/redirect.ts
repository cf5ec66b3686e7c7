/**
 * What a redirect says. Where it may lead is for the scope to decide, how many are followed for the caller.
 */
export interface Redirect {
  /** Absolute; null: the Location is missing or no address. */
  readonly to: string | null;
  /** 301 and 308: the address has moved for good. */
  readonly permanent: boolean;
}

/** Null: this answer is no redirect. 300 leads on only where it names one address; 304 and 305 never do. */
export function redirectOf(status: number, location: string, url: string): Redirect | null {
  const leads = status === 301 || status === 302 || status === 303 || status === 307 || status === 308;
  if (!leads && !(status === 300 && location !== '')) return null;
  return { to: location === '' ? null : resolveLocation(location, url), permanent: status === 301 || status === 308 };
}

/**
 * A Location as browsers read it: octets above 127 are UTF-8 (a header arrives as Latin-1), blanks around it do not
 * count, and a fragment of ours is none of the target's.
 */
function resolveLocation(location: string, url: string): string | null {
  const octets = Buffer.from(location, 'latin1');
  const text = octets.toString('utf8');
  try {
    const to = new URL(text.includes('\ufffd') ? location : text, url);
    to.hash = '';
    return to.href;
  } catch {
    return null;
  }
}
