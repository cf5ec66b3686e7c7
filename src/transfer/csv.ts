/**
 * Rows of CSV: fields in a fixed order, several values of one field joined, a quote doubled, records ended by CR LF.
 * Source: RFC 4180; Nutch's indexer-csv for several values and clipping.
 */
export interface CsvSettings {
  readonly separator: string;
  /** '' : nothing is quoted. */
  readonly quote: string;
  readonly valueSeparator: string;
  /** Characters of a value beyond which it is cut, before quoting; -1: no limit. */
  readonly maxField: number;
}
export const csvDefaults: CsvSettings = { separator: ',', quote: '"', valueSeparator: '|', maxField: -1 };

export type CsvValue = string | number | boolean | null | undefined | readonly string[];

/** One record without its end. */
export function csvRow(values: readonly CsvValue[], settings: CsvSettings = csvDefaults): string {
  return values.map((value) => field(value, settings)).join(settings.separator);
}

function field(value: CsvValue, { separator, quote, valueSeparator, maxField }: CsvSettings): string {
  const whole = Array.isArray(value) ? value.join(valueSeparator) : value == null ? '' : String(value);
  const text = maxField >= 0 ? whole.slice(0, maxField) : whole;
  if (quote === '') return text;
  const must = text.includes(separator) || /[\r\n]/.test(text) || text.includes(quote);
  return must ? `${quote}${text.replaceAll(quote, quote + quote)}${quote}` : text;
}
