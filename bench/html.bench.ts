/**
 * What does it cost to read a page of HTML? MB a CPU second on two kinds of real pages: pages of the open web, heavy with
 * scripts, and pages of documentation, heavy with markup; for the links alone and for links, title and visible text.
 * Peers: htmlparser2's tree, node-html-parser (as tuned as it gets), parse5; htmlparser2's events as the bound of what
 * its tree could cost. The pages are reference data beside the checkout; NUTHATCH_SHARED says where they are.
 */
import { existsSync } from 'node:fs';
import { DomHandler, Parser } from 'htmlparser2';
import { parse as parseLoosely } from 'node-html-parser';
import { parse as parse5 } from 'parse5';
import { readExact } from '../src/parse/exact.ts';
import { chooseMain } from '../src/parse/main-text.ts';
import { Nesting } from '../src/parse/nesting.ts';
import { parsePage } from '../src/parse/page.ts';
import { Reading } from '../src/parse/reading.ts';
import { scan } from '../src/parse/scan.ts';
import { A, T } from '../src/parse/tags.ts';
import { fixturePages } from '../test/src/parse/kit/fixtures.ts';
import { question } from './question.ts';

interface Node {
  readonly name?: string;
  readonly nodeName?: string;
  readonly rawTagName?: string;
  readonly data?: string;
  readonly value?: string;
  readonly rawText?: string;
  readonly attribs?: Readonly<Record<string, string>>;
  readonly attrs?: readonly { readonly name: string; readonly value: string }[];
  readonly attributes?: Readonly<Record<string, string>>;
  readonly children?: readonly Node[];
  readonly childNodes?: readonly Node[];
}
const SKIPPED = new Set(['head', 'script', 'style', 'noscript', 'template', 'iframe', 'object', 'title']);

/** Links and, if asked, text of a tree of any of the three; without recursion. */
function walk(root: Node, wantText: boolean): number {
  const stack: Node[] = [root];
  const hrefs: string[] = [];
  let text = '';
  while (stack.length > 0) {
    const node = stack.pop()!;
    const name = node.rawTagName?.toLowerCase() ?? node.name ?? node.nodeName ?? '';
    if (name === 'a') {
      const href =
        node.attribs?.href ??
        (Array.isArray(node.attrs) ? node.attrs.find((a) => a.name === 'href')?.value : node.attributes?.href);
      if (href !== undefined) hrefs.push(href);
    }
    const children = node.children ?? node.childNodes;
    if (children === undefined || children.length === 0) {
      if (wantText) text += node.data ?? node.value ?? (node.rawTagName === '' ? node.rawText : '') ?? '';
      continue;
    }
    if (SKIPPED.has(name)) continue;
    for (let i = children.length - 1; i >= 0; i--) stack.push(children[i]!);
  }
  return hrefs.length + (wantText ? text.replace(/\s+/g, ' ').length : 0);
}

const tree = (page: Buffer): Node => {
  const handler = new DomHandler();
  new Parser(handler).end(page.toString());
  return handler.root as unknown as Node;
};
const loose = (page: Buffer): Node =>
  parseLoosely(page.toString(), {
    closeAllByClosing: true,
    parseNoneClosedTags: true,
    blockTextElements: { script: true, style: true, noscript: true },
  } as Parameters<typeof parseLoosely>[1]) as unknown as Node;
const standard = (page: Buffer): Node => parse5(page.toString()) as unknown as Node;

const tape = new Nesting();
const reading = new Reading();
type Read = (page: Buffer, tape: Nesting) => unknown;

/** The links alone, from the tape. */
function links(read: Read, page: Buffer): number {
  tape.begin(page);
  read(page, tape);
  tape.end();
  const hrefs: string[] = [];
  for (let i = 0; i < tape.length; i++) {
    if (tape.tag[i] !== T.a || tape.kind[i] === 2) continue;
    const first = tape.from[i]!;
    for (let a = first; a < first + tape.many[i]!; a++) {
      if (tape.attribute[a] === A.href) hrefs.push(page.toString('utf8', tape.valueFrom[a]!, tape.valueTo[a]!));
    }
  }
  return hrefs.length;
}
/** Links with their texts, title, headings, meta elements, visible text. */
function everything(read: Read, page: Buffer): number {
  tape.begin(page);
  read(page, tape);
  tape.end();
  reading.read(tape);
  return reading.head.links.count + reading.blocks.all().length;
}
function mainToo(page: Buffer): number {
  everything(scan, page);
  return chooseMain(reading.blocks, reading.regions, tape).length;
}

// Built, this file lies elsewhere than the pages are looked for.
process.env.NUTHATCH_SHARED ??= ['../shared', '../../shared'].find((path) => existsSync(path)) ?? '';

for (const [what, folders] of [
  ['pages of the web', ['fixtures/trafilatura-eval', 'fixtures/article-extraction-benchmark']],
  ['documentation', ['fixtures/debian-docs']],
] as const) {
  const pages = [...fixturePages(folders)].map(({ body }) => body);
  if (pages.length === 0) continue;
  const amount = pages.reduce((sum, page) => sum + page.length, 0) / 1e6;
  const ask = question(`html, ${what}`);
  ask.figure('corpus', { pages: pages.length, MB: amount });
  const each = (run: (page: Buffer) => number) => (): number => {
    let sum = 0;
    for (const page of pages) sum += run(page);
    return sum;
  };
  const url = 'http://host.example/a/page.html';
  const whole = (parser: 'scan' | 'exact') =>
    each((body) => Object.keys(parsePage({ url, contentType: 'text/html; charset=utf-8', body }, { parser })).length);
  await ask.compare(
    {
      "links: htmlparser2's tree": each((page) => walk(tree(page), false)),
      'links: htmlparser2, events': each((page) => {
        let found = 0;
        new Parser({ onopentag: (name, { href }) => void (name === 'a' && href !== undefined && found++) }).end(
          page.toString(),
        );
        return found;
      }),
      'links: node-html-parser': each((page) => walk(loose(page), false)),
      'links: parse5': each((page) => walk(standard(page), false)),
      'links: exact': each((page) => links(readExact, page)),
      'links: scan': each((page) => links(scan, page)),
    },
    { amount, unit: 'MB' },
  );
  await ask.compare(
    {
      "links and text: htmlparser2's tree": each((page) => walk(tree(page), true)),
      'links and text: node-html-parser': each((page) => walk(loose(page), true)),
      'links and text: parse5': each((page) => walk(standard(page), true)),
      'links and text: exact': each((page) => everything(readExact, page)),
      'links and text: scan': each((page) => everything(scan, page)),
      'and the main text: scan': each(mainToo),
      'all of parsePage: exact': whole('exact'),
      'all of parsePage: scan': whole('scan'),
    },
    { amount, unit: 'MB' },
  );
}
