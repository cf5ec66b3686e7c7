import { decodeState } from '../page/codec.ts';
import { partFiles } from '../page/segment-files.ts';
import type { PageState } from '../page/state.ts';
import { readRecords } from '../store/records.ts';
import { urlOf } from '../url/key.ts';
import { ownerOf, queueOf } from './owner.ts';
import type { Item, ShardTask } from './task.ts';

export interface Listed {
  readonly key: string;
  readonly url: string;
  readonly queue: string;
  readonly state: PageState;
}

/** Of every part of the fetchlist, in order, the pages whose queue is the shard's. */
export function* fetchlistOf(
  task: Pick<ShardTask, 'dir' | 'segment' | 'shard' | 'shards' | 'options' | 'addresses'>,
  addresses: ReadonlyMap<string, string>,
): Generator<Listed, void, undefined> {
  const { dir, segment, shard, shards, options } = task;
  for (const file of partFiles(dir, segment, 'crawl_generate'))
    for (const { key, value } of readRecords(file)) {
      const url = urlOf(key);
      const queue = queueOf(url, options.net.queueBy, addresses);
      if (ownerOf(queue, shards) === shard) yield { key, url, queue, state: decodeState(value) };
    }
}

/**
 * A page of the list as a shard visits it. Only what we have seen the content of can be "not modified": in a crawl that reads
 * texts, none that was read for its links alone.
 */
export function itemOf({ url, state }: Listed, linksOnly: boolean): Item {
  const textless = state.reason === 'links-only';
  const seen = (state.status === 'fetched' || state.status === 'not-modified') && (linksOnly || !textless);
  return {
    url,
    etag: seen ? state.etag : '',
    lastModified: seen ? state.lastModified : '',
    score: state.score,
    depth: state.depth,
    retries: state.retries,
    hops: [],
    tries: 0,
    ...(textless ? { textless } : {}),
    ...(state.reason === 'noindex' ? { noindex: true } : {}),
  };
}
