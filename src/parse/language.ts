/**
 * A language tag as BCP 47, lower case: `DE_at` is `de-at`. '' for what is none.
 */
export function languageTag(said: string): string {
  if (said === '') return '';
  const tag = (said.split(',')[0] ?? '').trim().toLowerCase().replaceAll('_', '-');
  return /^[a-z]{2,3}(-[a-z0-9]{1,8})*$/.test(tag) && tag !== 'und' && tag !== 'mul' ? Buffer.from(tag).toString() : '';
}

/** What the page says it is in: html lang, then Content-Language as header or meta element. */
export const declaredLanguage = (html: string, header: string, meta: string): string =>
  languageTag(html) || languageTag(header) || languageTag(meta);
