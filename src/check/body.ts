/** The bytes of a line that has them as `base64` or as text under another name; what is wrong when it has neither. */
export function bodyOf(line: Record<string, unknown>, name: string): Uint8Array | { readonly error: string } {
  if (typeof line.base64 === 'string') return Buffer.from(line.base64, 'base64');
  if (typeof line[name] === 'string') return Buffer.from(line[name]);
  return { error: `neither base64 nor ${name} is there, as a string` };
}
