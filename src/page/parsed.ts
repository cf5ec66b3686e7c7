/**
 * What a page says: the answer of the parser, and (split over `parse_data` and `parse_text`) what a segment keeps.
 * Strings are copies: none of them holds the page's bytes alive.
 */
export interface ParsedPage {
  readonly title: string;
  /** Main text, paragraphs separated by newlines. */
  readonly text: string;
  /** Visible text outside the main text: menus, footers; searchable at a low weight. */
  readonly boilerplate: string;
  /** All visible text in document order. */
  readonly visible: string;
  readonly headings: readonly Heading[];
  /** In page order, resolved against the base, unique by (url, anchor); not yet normalised or filtered. */
  readonly links: readonly PageLink[];
  /** Lower-case names of meta elements to their first content. */
  readonly meta: Readonly<Record<string, string>>;
  /** Absolute, or '' when the page names none. */
  readonly canonical: string;
  /** Meta refresh, or null. */
  readonly refresh: { readonly url: string; readonly seconds: number } | null;
  /** BCP 47, lower-case; '' when unknown. */
  readonly lang: string;
  /** Label of the encoding it was decoded with. */
  readonly charset: string;
  readonly robots: RobotsFlags;
  /** ISO 8601, '' when unknown. */
  readonly dates: { readonly published: string; readonly modified: string };
  /** Addresses of the feeds it names, resolved; absent when none. */
  readonly feeds?: readonly string[];
  /** What its links are resolved against, where that is not its own address. */
  readonly base?: string;
  /** What was odd about it, one plain fragment each; never thrown. */
  readonly problems: readonly string[];
}

export interface Heading {
  readonly level: number;
  readonly text: string;
  /** Fragment that reaches it, without '#'; absent when nothing does. */
  readonly anchor?: string;
}

export interface PageLink {
  readonly url: string;
  /** Its text, white space collapsed; alt text for an image; at most 100 characters. */
  readonly anchor: string;
  /** As written, lower-case; absent when none. */
  readonly rel?: string;
  /** Where it stands, when that is no `a` or `area`: a link element, a frame, a form that asks by GET, a meta refresh. */
  readonly from?: 'link' | 'frame' | 'form' | 'refresh';
}

export interface RobotsFlags {
  readonly noindex: boolean;
  readonly nofollow: boolean;
  readonly noarchive: boolean;
  readonly nosnippet: boolean;
}
