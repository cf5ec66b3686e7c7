import type { Reason } from '../../page/reason.ts';
import { OLD_OFFICE } from '../media-type.ts';

/** Why a document was not read. */
export interface Unread {
  readonly unread: Reason;
  /** One plain fragment. */
  readonly detail: string;
  /** Type found, lower case, without parameters. */
  readonly contentType: string;
}

export type DocumentKind =
  | 'page'
  | 'pdf'
  | 'office'
  | 'odf'
  | 'epub'
  | 'rtf'
  | 'table'
  | 'markdown'
  | 'xml'
  | 'old-office'
  | 'zip';

/** How a type (without parameters) is read; null: not at all. */
export function kindOf(type: string): DocumentKind | null {
  if (type === 'text/html' || type === 'application/xhtml+xml' || type === 'text/plain') return 'page';
  if (type === 'application/pdf' || type === 'application/x-pdf') return 'pdf';
  if (
    type.startsWith('application/vnd.openxmlformats-officedocument.') ||
    /^application\/vnd\.ms-\w+\.\w+\.macroenabled/.test(type)
  )
    return 'office';
  if (type.startsWith('application/vnd.oasis.opendocument.')) return 'odf';
  if (type === 'application/epub+zip') return 'epub';
  if (type === 'application/rtf' || type === 'text/rtf' || type === 'text/richtext') return 'rtf';
  if (type === 'text/csv' || type === 'text/tab-separated-values' || type === 'application/csv') return 'table';
  if (type === 'text/markdown' || type === 'text/x-markdown') return 'markdown';
  if (/^(application|text)\/([\w.]+\+)?xml$/.test(type)) return 'xml';
  if (OLD_OFFICE.test(type)) return 'old-office';
  if (/^application\/(zip|x-zip-compressed)$/.test(type)) return 'zip';
  return null;
}

/**
 * Pages that are larger are read in a process with limits. One of this size takes 60 MB and half a second at the very most
 * (a tag in every third byte), so that it can neither fill a heap nor hold a loop up.
 */
const ALONE_BYTES = 2 << 20;

/** Whether a body of that type (without parameters) is read in a process of its own: a document, or a large page. */
export function readAlone(type: string, bytes: number): boolean {
  const kind = kindOf(type);
  return kind === 'page' ? bytes > ALONE_BYTES : kind !== null;
}
/** Whether what is of that type leads on as pages do: pages, feeds and sitemaps. Documents are where a way ends. */
export function leadsOn(type: string): boolean {
  const kind = kindOf(type);
  return kind === 'page' || kind === 'xml' || kind === 'markdown' || kind === null;
}
/** Whether parseDocument has a reader for a type (without parameters). */
export const isDocumentType = (type: string): boolean => kindOf(type) !== null;
