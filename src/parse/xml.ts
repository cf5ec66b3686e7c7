import { Parser } from 'htmlparser2';
import { decodeText, detectCharset } from './charset.ts';

/** Elements open at once; a document nested deeper is read up to there. */
const MAX_DEPTH = 256;

export interface XmlHandler {
  /** Name with its prefix, as written; attributes as written. */
  open?(name: string, attributes: Readonly<Record<string, string>>): void;
  /** Character data and CDATA, in pieces, references decoded. */
  text?(text: string): void;
  /** `implied`: its end tag is not there. */
  close?(name: string, implied: boolean): void;
}

/**
 * Reads XML as events. Entities of a DTD are never expanded and nothing outside is ever read: `&file;` stays as it is.
 * Lenient: blanks before the declaration, unclosed elements, missing quotes. Never throws on what it reads.
 * Answers false when it stopped early, because of depth or since `stop` said so.
 * Cost: linear in the document up to the depth allowed.
 */
export function readXml(xml: string, handler: XmlHandler, stop: () => boolean = () => false): boolean {
  let depth = 0;
  let whole = true;
  const parser: Parser = new Parser(
    {
      onopentag(name, attributes) {
        if (++depth > MAX_DEPTH || stop()) {
          whole = false;
          parser.pause();
          return;
        }
        handler.open?.(name, attributes);
      },
      ontext(text) {
        handler.text?.(text);
      },
      onclosetag(name, implied) {
        depth--;
        handler.close?.(name, implied);
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  // Pieces, so that a pause takes hold soon.
  for (let at = 0; at < xml.length && whole; at += 1 << 16) parser.write(xml.slice(at, at + (1 << 16)));
  if (whole) parser.end();
  return whole;
}

/** The text of an XML document: byte order mark, header, its own declaration, UTF-8. */
export function decodeXml(body: Uint8Array, contentType: string): string {
  const said = detectCharset(body, contentType, { meta: false });
  let { charset } = said;
  if (said.source !== 'bom' && said.source !== 'header') {
    const head = Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, 256)).toString('latin1');
    const declared = /^\s*<\?xml[^>]*\bencoding\s*=\s*["']([\w.:-]+)["']/i.exec(head)?.[1];
    const known =
      declared === undefined ? '' : detectCharset(new Uint8Array(0), `text/xml; charset=${declared}`).charset;
    // A declaration that could be read byte by byte cannot be true of UTF-16.
    charset = known !== '' && !known.startsWith('utf-16') && declared !== undefined ? known : 'utf-8';
  }
  return decodeText(body, charset).replace(/^\ufeff/, '');
}

/** `loc` of `sm:loc`. */
export const localName = (name: string): string => name.slice(name.indexOf(':') + 1);
/** `sm:` of `sm:loc`, '' of `loc`. */
export const prefixOf = (name: string): string => name.slice(0, name.indexOf(':') + 1);
