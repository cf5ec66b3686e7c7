/**
 * Sections of a page: where in its text each heading stands, and the fragment that leads there.
 *
 * Stored with the page, one string a section, in the order of the text: `offset anchor heading`. A hit whose passage lies
 * in a section is linked to it.
 */
import type { Heading } from '../page/parsed.ts';

export interface Section {
  /** Its heading, plain text. */
  readonly text: string;
  /** Fragment that leads there, without '#'. */
  readonly anchor: string;
}

const MAX_SECTIONS = 1000;

/**
 * Headings are looked for among the lines of `text`, in their order. The first of level 1 is the page's own. One
 * without an anchor ends a section of its level or a lower one: that is told by an empty anchor.
 */
export function sectionsOf(text: string, headings: readonly Heading[]): readonly string[] {
  if (!headings.some(isLinked)) return [];
  const places = new Map<string, number[]>();
  headings.forEach(({ text }, i) => {
    const known = places.get(text);
    if (known) known.push(i);
    else places.set(text, [i]);
  });
  const sections: string[] = [];
  const own = headings.findIndex(({ level }) => level === 1);
  let next = 0;
  let level = 7;
  let open = false;
  for (let at = 0; at < text.length && next < headings.length && sections.length < MAX_SECTIONS; ) {
    const newline = text.indexOf('\n', at);
    const end = newline < 0 ? text.length : newline;
    const found = places.get(text.slice(at, end))?.find((i) => i >= next);
    if (found !== undefined) {
      next = found + 1;
      const heading = headings[found]!;
      const isPage = found === own;
      if (isLinked(heading) && !isPage) {
        sections.push(`${at} ${heading.anchor} ${heading.text}`);
        open = true;
        level = heading.level;
      } else if (open && heading.level <= level) {
        sections.push(`${at}  `);
        open = false;
      }
    }
    at = end + 1;
  }
  return sections;
}

/** A fragment with white space leads nowhere in most browsers. */
const isLinked = ({ anchor }: Heading): boolean => anchor !== undefined && anchor !== '' && !/\s/u.test(anchor);

/** The section that offset `at` of the text lies in; undefined when in none. `stored`: as the page's document has them. */
export function sectionAt(stored: unknown, at: number): Section | undefined {
  const sections: readonly unknown[] = Array.isArray(stored) ? stored : [stored];
  let last = '';
  for (const one of sections) {
    if (typeof one !== 'string' || Number.parseInt(one, 10) > at) break;
    last = one;
  }
  const [, anchor, text] = /^\d+ (\S+) (.*)$/su.exec(last) ?? [];
  return anchor === undefined ? undefined : { anchor, text: text! };
}
