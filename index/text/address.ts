/**
 * Addresses of documents, such as `scheme://docs.example.org/guide/Set_up.html?v=2`: the host and each domain above it as
 * terms of their own, its labels, and the words of the path.
 *
 *     docs.example.org(0, WHOLE) docs(0) example.org(1, GROUP) example(1) org(2) guide(3) ...
 *
 * The scheme and a leading `www` are left out. Percent escapes are decoded where the path as a whole decodes; tokens of such
 * a path carry the offsets of the whole path. A text without a scheme is a path.
 */
import { type Analyzer, ATOM, GROUP, hashUnits, MAX_TERM, type TokenKind, type TokenSink, WHOLE } from './analyzer.ts';
import { WordChain } from './words.ts';

const HOST = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#@]*@)?(?:www\d?\.)?([^/?#:]*)(?::\d+)?/i;

export class AddressChain implements Analyzer {
  readonly name = 'address/1';
  readonly #words = new WordChain();

  analyze(text: string, lang: string, sink: TokenSink): number {
    const match = HOST.exec(text);
    let position = 0;
    let at = 0;
    if (match) {
      at = match[0].length;
      const host = match[1]!;
      position = this.#host(host, text.indexOf(host, match[0].indexOf('://') + 3), sink);
    }
    const path = text.slice(at);
    let decoded = path;
    if (path.includes('%'))
      try {
        decoded = decodeURIComponent(path.replaceAll('+', ' '));
      } catch {
        // Not UTF-8 behind the percent signs: the path is read as it stands.
      }
    const isExact = decoded === path;
    const base = position;
    const shifted: TokenSink = {
      units: sink.units,
      token: (length, hash, place, start, end, kind) =>
        sink.token(length, hash, base + place, isExact ? at + start : at, isExact ? at + end : text.length, kind),
    };
    return base + this.#words.analyze(decoded, lang, shifted);
  }

  #host(host: string, start: number, sink: TokenSink): number {
    const labels = host.toLowerCase().split('.').filter(Boolean);
    let offset = start;
    for (let i = 0; i < labels.length; i++) {
      const rest = labels.slice(i).join('.');
      const put = (term: string, kind: TokenKind): void => {
        const length = Math.min(term.length, MAX_TERM);
        for (let k = 0; k < length; k++) sink.units[k] = term.charCodeAt(k);
        sink.token(length, hashUnits(sink.units, length), i, offset, offset + term.length, kind);
      };
      if (labels.length - i > 1) put(rest, i === 0 ? WHOLE : GROUP);
      put(labels[i]!, ATOM);
      offset += labels[i]!.length + 1;
    }
    return labels.length;
  }
}
