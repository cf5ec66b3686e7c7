/**
 * Who links to a page: the value of linkdb for its key. Links are kept by source page, so that those of a page that
 * changed or went can be taken out.
 *
 *     value := version:u8=1  count:varint  link[count]                       sources ascend
 *     link  := shared:varint  rest:bytes  score:f32  anchor:string           source key = shared bytes of the one before + rest
 *
 * Versions: 1 (first).
 */
import { type ByteReader, ByteWriter } from '../../index/io/bytes.ts';
import { guarded } from './codec.ts';
import { hostOfSite, siteOfKey, urlOf } from './key.ts';

export interface Inlink {
  /** Key of the page that links. */
  readonly source: Buffer;
  /** Texts of the links, a line each. */
  readonly anchor: Buffer;
  /** Of that page, when it was fetched. */
  readonly score: number;
}

/** Links kept of one page: beyond it those of the best sources stay. */
export const MOST_INLINKS = 10_000;

const out = new ByteWriter(4096);

/** `links` ascend by source, each source once. A view, good until the next call. */
export function encodeInlinks(links: readonly Inlink[]): Uint8Array {
  const kept = links.length > MOST_INLINKS ? bestOf(links) : links;
  out.reset();
  out.u8(1);
  out.varint(kept.length);
  let before: Buffer | undefined;
  for (const { source, anchor, score } of kept) {
    let same = 0;
    if (before) {
      const most = Math.min(before.length, source.length);
      while (same < most && before[same] === source[same]) same++;
    }
    out.varint(same);
    out.varint(source.length - same);
    out.raw(source.subarray(same));
    out.f32(score);
    out.varint(anchor.length);
    out.raw(anchor);
    before = source;
  }
  return out.view();
}

function bestOf(links: readonly Inlink[]): Inlink[] {
  return [...links]
    .sort((a, b) => b.score - a.score || a.source.compare(b.source))
    .slice(0, MOST_INLINKS)
    .sort((a, b) => a.source.compare(b.source));
}

/** @throws CrawlError 'damaged' | 'too-new' */
export const decodeInlinks = (value: Uint8Array): Inlink[] =>
  guarded('the inlinks of a page', value, (from: ByteReader) => {
    const links: Inlink[] = [];
    let before = Buffer.alloc(0);
    for (let left = from.varint(); left > 0; left--) {
      const same = from.varint();
      const rest = from.bytes();
      const source = Buffer.allocUnsafe(same + rest.length);
      before.copy(source, 0, 0, same);
      source.set(rest, same);
      const score = from.f32();
      const text = from.bytes();
      links.push({ source, score, anchor: Buffer.from(text.buffer, text.byteOffset, text.byteLength) });
      before = source;
    }
    return links;
  });

/** Source keys are put together here, one after the other. */
let source = Buffer.allocUnsafe(1024);

/**
 * The texts of links, where they have one, those of the best sources first. A page of a menu has thousands: of a source
 * only its host is made a text of, once a run. @throws CrawlError 'damaged' | 'too-new'
 */
export const anchorsOf = (value: Uint8Array): { readonly host: string; readonly anchor: string }[] =>
  guarded('the inlinks of a page', value, (from: ByteReader) => {
    const links: { readonly host: string; readonly score: number; readonly text: Uint8Array }[] = [];
    let host = '';
    let hostEnd = Number.POSITIVE_INFINITY;
    for (let left = from.varint(); left > 0; left--) {
      const same = from.varint();
      const rest = from.bytes();
      const length = same + rest.length;
      if (length > source.length) source = Buffer.concat([source, Buffer.allocUnsafe(length)]);
      source.set(rest, same);
      if (same <= hostEnd) {
        const site = siteOfKey(source.toString('latin1', 0, length));
        host = hostOfSite(site);
        hostEnd = site.length;
      }
      const score = from.f32();
      const text = from.bytes();
      if (text.length > 0) links.push({ host, score, text });
    }
    return links
      .sort((a, b) => b.score - a.score)
      .flatMap(({ host, text }) =>
        Buffer.from(text.buffer, text.byteOffset, text.byteLength)
          .toString()
          .split('\n')
          .map((anchor) => ({ host, anchor })),
      );
  });

/** For people: all texts in one line. */
export const anchorLine = (link: Inlink): string => link.anchor.toString().replaceAll('\n', ' | ');

export const inlinkUrl = (link: Inlink): string => urlOf(link.source.toString());
