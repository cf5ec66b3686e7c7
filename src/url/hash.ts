/**
 * FNV-1a of the code units of a text, 32 bits, unsigned: to spread hosts. It decides the order of fetchlists and the owner
 * of a host, so it stays as it is. Source: Fowler, Noll and Vo, the FNV hash.
 */
export function hashOfText(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}
