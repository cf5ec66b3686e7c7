// Apart from documents.ts: a crawl makes a reader of documents in its main thread, where no page is ever parsed.
import type { ParsedPage } from '../page/parsed.ts';
import { readAlone, type Unread } from '../parse/documents/kind.ts';
import { mediaType, typeOf } from '../parse/media-type.ts';
import { parsePage } from '../parse/page.ts';
import type { DocumentReader, DocumentTask } from './documents.ts';

/** Reads anything: a page where this is called, what may take long or die in a process of `documents`. */
export async function readAnything(
  task: DocumentTask,
  documents: DocumentReader,
  signal?: AbortSignal,
): Promise<ParsedPage | Unread> {
  const { settings, ...input } = task;
  const contentType = typeOf(mediaType(input.contentType), input.body, input.url);
  if (readAlone(contentType, input.body.length)) return documents.read(task, signal);
  const page = parsePage(input, settings);
  if (!('unsupported' in page)) return page;
  return { unread: 'not-parsed', detail: `${contentType || 'its type'} is none that can be read`, contentType };
}
