import { parse } from 'parse5';

/** What parse5, which follows the HTML standard to the letter, and a plain walk over its tree say of a page. */
export interface Read {
  readonly text: string;
  readonly hrefs: ReadonlySet<string>;
  readonly title: string;
  /** Of the first base element that has one. */
  readonly base: string | null;
}

const SKIP = new Set('head script style noscript template iframe object title noframes noembed frameset'.split(' '));
const BREAK = new Set(
  (
    'address article aside blockquote body br caption center col colgroup dd details dialog dir div dl dt fieldset ' +
    'figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol optgroup ' +
    'option p pre search section select summary table tbody td textarea tfoot th thead tr ul'
  ).split(' '),
);

interface Node {
  readonly nodeName: string;
  readonly namespaceURI?: string;
  readonly value?: string;
  readonly attrs?: readonly { readonly name: string; readonly value: string }[];
  readonly childNodes?: readonly Node[];
}

export function readByParse5(html: string): Read {
  const text: string[] = [];
  const hrefs = new Set<string>();
  let title: string | null = null;
  let base: string | null = null;
  // A node, or the end of a block or of a skipped element.
  const stack: { readonly node: Node; readonly hidden: boolean; readonly end: boolean }[] = [
    { node: parse(html, { scriptingEnabled: false }) as unknown as Node, hidden: false, end: false },
  ];
  while (stack.length > 0) {
    const { node, hidden, end } = stack.pop()!;
    if (end) {
      text.push(' ');
      continue;
    }
    if (node.nodeName === '#text') {
      if (!hidden) text.push(node.value!);
      continue;
    }
    const foreign = node.namespaceURI !== undefined && node.namespaceURI !== 'http://www.w3.org/1999/xhtml';
    if (node.nodeName === 'title' && !foreign) title ??= node.childNodes!.map((child) => child.value ?? '').join('');
    if (node.nodeName === 'a' || (node.nodeName === 'area' && !foreign)) {
      const href = node.attrs!.find(({ name }) => name === 'href');
      if (href) hrefs.add(href.value);
      // A heading's link to itself: its sign is none of the text.
      const [child, ...more] = node.childNodes ?? [];
      if (href?.value.trim().startsWith('#') && more.length === 0 && /^\s*[#¶§]\s*$/.test(child?.value ?? '')) {
        if (!hidden) text.push(' ');
        continue;
      }
    }
    if (node.nodeName === 'base') base ??= node.attrs!.find(({ name }) => name === 'href')?.value ?? null;
    const breaks = BREAK.has(node.nodeName) && !foreign;
    if (breaks && !hidden) {
      text.push(' ');
      stack.push({ node, hidden, end: true });
    }
    const below = hidden || SKIP.has(node.nodeName);
    const children = node.childNodes ?? [];
    for (let i = children.length - 1; i >= 0; i--) stack.push({ node: children[i]!, hidden: below, end: false });
  }
  return { text: oneLine(text.join('')), hrefs, title: oneLine(title ?? ''), base };
}

export const oneLine = (text: string): string =>
  text
    .replaceAll('\0', '')
    .replace(/[ \t\n\r\f\u00a0\u3000\v]+/g, ' ')
    .trim();
