/**
 * HTML that cannot be forgotten to be escaped: every value put into a template is text, unless it is `Html` itself.
 *
 *     html`<p title="${title}">${parts}</p>`
 */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
  toString(): string {
    return this.text;
  }
}
export type Value = string | number | Html | null | undefined | false | readonly Value[];

const NAMES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Safe as text and inside a quoted attribute. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => NAMES[sign]!);

const render = (value: Value): string =>
  value instanceof Html
    ? value.text
    : Array.isArray(value)
      ? value.map(render).join('')
      : value === null || value === undefined || value === false
        ? ''
        : escapeHtml(String(value));

export const html = (strings: TemplateStringsArray, ...values: readonly Value[]): Html =>
  new Html(strings.reduce((out, part, i) => out + part + (i < values.length ? render(values[i]) : ''), ''));

/**
 * A snippet as HTML of which only `<mark>` and `</mark>` are tags, opened and closed in pairs; every other sign that
 * could begin a tag or leave an attribute is escaped again, whoever made the snippet. Entities stay as they are.
 */
export function markedHtml(snippet: string): Html {
  let open = false;
  const text = snippet.replace(/<mark>|<\/mark>|[<>"']/g, (found) => {
    if (found !== '<mark>' && found !== '</mark>') return NAMES[found]!;
    const opens = found === '<mark>';
    if (opens === open) return '';
    open = opens;
    return found;
  });
  return new Html(open ? `${text}</mark>` : text);
}

/** An address that may stand in a link: http and https alone, so that no result can carry a script. */
export function linkable(url: string | undefined): string | null {
  if (url === undefined || !URL.canParse(url)) return null;
  const { protocol, href } = new URL(url);
  return protocol === 'http:' || protocol === 'https:' ? href : null;
}
