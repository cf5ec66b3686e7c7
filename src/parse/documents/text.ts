import type { Heading, PageLink } from '../../page/parsed.ts';
import { isoDate } from '../meta.ts';

/** What a reader of documents makes: all that a ParsedPage needs and HTML alone does not give. */
export interface DocumentText {
  readonly title: string;
  /** Paragraphs, a line each. */
  readonly text: string;
  /** Headers, footers, notes of a speaker. */
  readonly boilerplate?: string;
  readonly headings?: readonly Heading[];
  readonly links?: readonly PageLink[];
  readonly lang?: string;
  readonly meta?: Readonly<Record<string, string>>;
  readonly published?: string;
  readonly modified?: string;
  readonly charset?: string;
  readonly problems?: readonly string[];
}

/** Longest text taken from a document, in characters; the rest is cut and said to be. */
export const MAX_TEXT = 4 << 20;

/** Gathers lines, blanks collapsed, up to MAX_TEXT. */
export class Lines {
  private readonly lines: string[] = [];
  private line = '';
  private length = 0;
  /** Something was left out. */
  cut = false;

  /** `text` goes on in the line. */
  add(text: string): void {
    if (this.length > MAX_TEXT) this.cut = true;
    else {
      this.line += text;
      this.length += text.length;
    }
  }

  /** Ends the line; answers it as it stands in the text, '' when there was nothing. */
  end(): string {
    const line = this.line.replace(/[\s\u00a0]+/g, ' ').trim();
    this.line = '';
    if (line !== '') this.lines.push(line);
    return line;
  }

  text(): string {
    this.end();
    return this.lines.join('\n');
  }
}

/** An ISO date of what documents write: ISO, `D:20200102030405+01'00'` of PDF. */
export function documentDate(said: string): string {
  const pdf = /^D:(\d{4})(\d{2})?(\d{2})?(\d{2})?(\d{2})?(\d{2})?(?:([+\-Z])(\d{2})?'?(\d{2})?)?/.exec(said);
  if (pdf === null) return isoDate(said);
  const [
    ,
    year,
    month = '01',
    day = '01',
    hour,
    minute = '00',
    second = '00',
    sign,
    zoneHour = '00',
    zoneMinute = '00',
  ] = pdf;
  if (hour === undefined) return isoDate(`${year}-${month}-${day}`);
  const zone = sign === undefined ? '' : sign === 'Z' ? 'Z' : `${sign}${zoneHour}:${zoneMinute}`;
  return isoDate(`${year}-${month}-${day}T${hour}:${minute}:${second}${zone}`);
}
