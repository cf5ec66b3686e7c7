/** Words people use for a type, beside the halves of its name. */
const FAMILIAR: Readonly<Record<string, readonly string[]>> = {
  'application/xhtml+xml': ['html'],
  'application/msword': ['doc', 'word'],
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': ['docx', 'word'],
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': ['xlsx', 'excel'],
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': ['pptx', 'powerpoint'],
  'application/vnd.oasis.opendocument.text': ['odt'],
  'application/vnd.oasis.opendocument.spreadsheet': ['ods'],
  'application/vnd.oasis.opendocument.presentation': ['odp'],
  'application/epub+zip': ['epub'],
  'application/rss+xml': ['rss', 'feed'],
  'application/atom+xml': ['atom', 'feed'],
  'text/plain': ['txt'],
  'text/markdown': ['md'],
};

/**
 * The terms under which `type:` finds a document: the whole MIME type without parameters first, its two halves, and the
 * word people use. `text/html; charset=UTF-8` -> `text/html`, `text`, `html`. Empty when the type is unknown.
 */
export function typeTerms(contentType: string): readonly string[] {
  const type = contentType.split(';')[0]!.trim().toLowerCase();
  if (!/^[^\s/]+\/[^\s/]+$/.test(type)) return [];
  const [main, sub] = type.split('/') as [string, string];
  return [...new Set([type, main, sub, ...(FAMILIAR[type] ?? [])])];
}

/** File name of a Content-Disposition header, '' when it names none. Source: RFC 6266, RFC 8187 for `filename*`. */
export function fileNameOf(disposition: string): string {
  const extended = /(?:^|;)\s*filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(disposition)?.[1];
  if (extended) {
    try {
      return decodeURIComponent(extended);
    } catch {
      // Escapes that are not UTF-8: the plain form, if there is one, has to do.
    }
  }
  const match = /(?:^|;)\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(disposition);
  return match ? (match[1]?.replaceAll(/\\(.)/g, '$1') ?? match[2]!) : '';
}
