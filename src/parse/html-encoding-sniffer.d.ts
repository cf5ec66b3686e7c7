/** The package brings no types. */
declare module 'html-encoding-sniffer' {
  /** Name of the encoding; `defaultEncoding` when neither mark nor meta element says. */
  export default function sniff(body: Uint8Array, options?: { readonly defaultEncoding?: string }): string;
}
