import { Parser } from 'htmlparser2';
import { declaredCharset, decoderOf, decodeText, detectCharset } from './charset.ts';

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
 * Bytes are decoded as decodeXml does, piece by piece. Cost: linear in the document up to the depth allowed.
 */
export function readXml(xml: string | Uint8Array, handler: XmlHandler, stop: () => boolean = () => false): boolean {
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
  // Pieces, so that a pause takes hold soon, and so that bytes need not become one large string: a thread that leaps far
  // past its heap limit in one allocation takes the whole process with it.
  if (typeof xml === 'string') {
    for (let at = 0; at < xml.length && whole; at += PIECE) parser.write(xml.slice(at, at + PIECE));
  } else {
    const decoder = decoderOf(charsetOfXml(xml, ''));
    for (let at = 0; at < xml.length && whole; at += PIECE) {
      const last = at + PIECE >= xml.length;
      const piece = decoder.decode(xml.subarray(at, at + PIECE), { stream: !last });
      parser.write(at === 0 ? piece.replace(/^\ufeff/, '') : piece);
    }
  }
  if (whole) parser.end();
  return whole;
}

const PIECE = 1 << 16;

/** The text of an XML document: byte order mark, header, its own declaration, UTF-8. */
export const decodeXml = (body: Uint8Array, contentType: string): string =>
  decodeText(body, charsetOfXml(body, contentType)).replace(/^\ufeff/, '');

function charsetOfXml(body: Uint8Array, contentType: string): string {
  // The body itself says nothing but by its mark: what is declared neither there nor in the header is UTF-8.
  const said = detectCharset(body.subarray(0, 4), contentType, { meta: false });
  if (said.source === 'bom' || said.source === 'header') return said.charset;
  return declaredCharset(body) || 'utf-8';
}

/** `loc` of `sm:loc`. */
export const localName = (name: string): string => name.slice(name.indexOf(':') + 1);
/** `sm:` of `sm:loc`, '' of `loc`. */
export const prefixOf = (name: string): string => name.slice(0, name.indexOf(':') + 1);
