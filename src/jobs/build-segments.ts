/**
 * The second half of `index`: pages that were brought together, in key order, become one index segment, or several when
 * a builder's memory budget asks for it. Runs in a thread.
 *
 *     page := known:u8 [state:bytes]  count:varint (host:string anchor:string)[count]  data:bytes  text:bytes
 *
 * The key is the page's. Same file, same options: same bytes; merged, they are the same for any budget.
 */
import { type BuiltSegment, FsDirectory, SegmentBuilder } from '../../index/index.ts';
import { ByteReader, ByteWriter } from '../../index/io/bytes.ts';
import type { AnchorLink } from '../fields/anchors.ts';
import { pageDocument } from '../fields/document.ts';
import { readReplacements } from '../fields/replace.ts';
import { pageSchema } from '../fields/schema.ts';
import type { Settled } from '../options.ts';
import { decodeState } from '../page/codec.ts';
import { urlOf } from '../page/key.ts';
import { decodePageData, decodePageText } from '../page/segment.ts';
import { RecordReader } from '../store/records.ts';
import { showing } from '../url/normalizers.ts';
import { HostBlocks } from './host-blocks.ts';

export interface BuildTask {
  /** A sorted record file of pages. */
  readonly pages: string;
  /** What hosts were known to repeat, and where goes what is seen now; see HostBlocks. */
  readonly hostBlocks?: { readonly known: string | null; readonly seen: string };
  /** The index folder. */
  readonly directory: string;
  /** Name of the index segment to write; further ones get a number behind it. */
  readonly name: string;
  /** The crawl segment that the pages were fetched in. */
  readonly segment: string;
  readonly options: Settled['index'];
  /** Rewrites for the address that a hit shows. */
  readonly shown?: readonly string[];
  /** Memory at which a segment is written and another begun; the builder's own budget when absent. */
  readonly budgetBytes?: number;
}

const out = new ByteWriter(1 << 16);

/** A view that the next call overwrites. */
export function encodePage(
  state: Uint8Array | undefined,
  links: readonly AnchorLink[],
  data: Uint8Array,
  text: Uint8Array,
): Uint8Array {
  out.reset();
  out.u8(state ? 1 : 0);
  if (state) out.bytes(state);
  out.varint(links.length);
  for (const { host, anchor } of links) {
    out.string(host);
    out.string(anchor);
  }
  out.bytes(data);
  out.bytes(text);
  return out.view();
}

/** The encoded text of a page's record. */
function textOf(from: ByteReader): Uint8Array {
  if (from.u8() === 1) from.bytes();
  for (let left = from.varint(); left > 0; left--) {
    from.bytes();
    from.bytes();
  }
  from.bytes();
  return from.bytes();
}

/** In the order in which they are to be attached. */
export function buildSegments(task: BuildTask): BuiltSegment[] {
  const { pages, name, segment, options, budgetBytes } = task;
  const directory = new FsDirectory(task.directory);
  const schema = pageSchema(options);
  const built: BuiltSegment[] = [];
  const nextName = (): string => (built.length === 0 ? name : `${name}-${built.length}`);
  const newBuilder = (): SegmentBuilder =>
    new SegmentBuilder(schema, {
      storeInto: { directory, name: nextName() },
      ...(budgetBytes === undefined ? {} : { budgetBytes }),
    });
  let builder = newBuilder();
  const flush = (): void => {
    built.push(builder.write(directory, nextName()));
  };
  const replacements = readReplacements(options.replace);
  const show = task.shown ? showing(task.shown) : null;
  const reader = new RecordReader(pages);
  // What a host repeats on its pages is boilerplate there, whatever a look at one page says.
  const blocks = new HostBlocks(pages, textOf, task.hostBlocks?.known, task.hostBlocks?.seen);
  try {
    while (reader.next()) {
      if (builder.full) {
        flush();
        builder = newBuilder();
      }
      const from = new ByteReader(reader.block.subarray(reader.valueStart, reader.valueEnd));
      const state = from.u8() === 1 ? decodeState(from.bytes()) : undefined;
      const links: AnchorLink[] = [];
      for (let left = from.varint(); left > 0; left--) links.push({ host: from.string(), anchor: from.string() });
      const data = decodePageData(from.bytes());
      const text = blocks.of(reader.key).split(decodePageText(from.bytes()));
      const url = urlOf(reader.key);
      const page = { url, segment, data, text, state, links, ...(show ? { shown: show(url) } : {}) };
      builder.add(pageDocument(page, options, replacements));
    }
    flush();
    return built;
  } catch (error) {
    builder.abandon();
    throw error;
  } finally {
    reader.close();
    blocks.close();
  }
}
