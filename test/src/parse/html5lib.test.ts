import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ParsedPage } from '../../../src/page/parsed.ts';
import { parsePage } from '../../../src/parse/page.ts';
import { shared } from '../../kit/shared.ts';
import { oneLine, readByParse5 } from './kit/oracle.ts';

const Html5lib = suite('html5lib');

/** Inputs of html5lib's tree construction that read otherwise than parse5 reads them, by reason. */
const DEVIATIONS: Readonly<Record<string, readonly string[]>> = {
  'text after a frameset is kept': [
    '<!doctype html><frameset></frameset><plaintext></plaintext>',
    '<!doctype html><frameset></frameset></html><plaintext></plaintext>',
    '<!doctype html><html><frameset></frameset></html>abc',
    '<!DOCTYPE html><frameset></frameset> te st',
    '<frameset></frameset>\nfoo',
  ],
  'NUL is left out everywhere, not replaced in some places': [
    '<plaintext>\0filler\0text\0',
    '<svg><![CDATA[\0filler\0text\0]]>',
    '<svg>\0filler\0text',
    '<svg>\0<frameset>',
    '<svg>\0 <frameset>',
    '<svg>\0a<frameset>',
    '<svg>\0a</svg><frameset>',
  ],
  'a select keeps the elements in it, as browsers do since 2025': [
    '<!DOCTYPE html><body><table><tr><td><select><svg><g>foo</g><g>bar</g><p>baz</table><p>quux',
    '<!DOCTYPE html><body><table><select><svg><g>foo</g><g>bar</g><p>baz</table><p>quux',
    '<!doctype html><select><plaintext></plaintext>X',
    '<!doctype html><table><select><plaintext>a<caption>b',
    '<!DOCTYPE html><body><table><tr><td><select><math><mi>foo</mi><mi>bar</mi><p>baz</table><p>quux',
    '<!DOCTYPE html><body><table><select><math><mi>foo</mi><mi>bar</mi><p>baz</table><p>quux',
    '<select><div>div 1</div><button>button</button><div>div 2</div><datalist><option>option</option></datalist><div>div 3</div></select>',
  ],
  'text of noscript is not visible where scripts run': [
    '<head><noscript>XXX<!--foo--></noscript></head>',
    '<!doctype html><html><noscript><plaintext></plaintext>',
  ],
};
const deviates = new Set(Object.values(DEVIATIONS).flat());

const folder = shared('fixtures/html5lib/tree-construction');
if (folder === null) console.log('skipped: tree construction of html5lib');
else {
  for (const file of readdirSync(folder)
    .filter((name) => name.endsWith('.dat'))
    .sort())
    Html5lib(`${file}: text, title and links are those of the standard`, () => {
      const wrong: string[] = [];
      for (const part of readFileSync(join(folder, file), 'utf8')
        .split(/(?:^|\n\n)#data\n/)
        .slice(1)) {
        if (part.includes('#document-fragment')) continue;
        const html = part.slice(0, Math.max(0, part.indexOf('\n#errors')));
        const expected = readByParse5(html);
        const body = Buffer.from(html);
        const parsed = parsePage(
          { url: 'http://h/', contentType: 'text/html; charset=utf-8', body },
          { parser: 'scan' },
        ) as ParsedPage;
        const base = expected.base === null ? 'http://h/' : new URL(expected.base, 'http://h/').href;
        const links = new Set(parsed.links.map((link) => link.url));
        const same =
          oneLine(parsed.visible) === expected.text &&
          oneLine(parsed.title) === expected.title &&
          [...expected.hrefs].every((href) => !URL.canParse(href, base) || links.has(new URL(href, base).href));
        if (same === deviates.has(html)) wrong.push(`${JSON.stringify(html)}: ${JSON.stringify(parsed.visible)}`);
      }
      assert.equal(wrong, []);
    });
}

interface Tokens {
  readonly tests?: readonly {
    readonly description: string;
    readonly input: string;
    readonly output: readonly (readonly unknown[])[];
    readonly initialStates?: readonly string[];
    readonly doubleEscaped?: boolean;
  }[];
}
const tokenizer = shared('fixtures/html5lib/tokenizer');
if (tokenizer === null) console.log('skipped: tokens of html5lib');
else {
  for (const file of readdirSync(tokenizer)
    .filter((name) => name.endsWith('.test'))
    .sort())
    Html5lib(`${file}: character data and the href of a link are those of the standard`, () => {
      const wrong: string[] = [];
      const read = (html: string): ParsedPage =>
        parsePage(
          { url: 'http://h/', contentType: 'text/html; charset=utf-8', body: Buffer.from(html) },
          { parser: 'scan' },
        ) as ParsedPage;
      for (const test of (JSON.parse(readFileSync(join(tokenizer, file), 'utf8')) as Tokens).tests ?? []) {
        const { input, output, description, initialStates = ['Data state'], doubleEscaped } = test;
        // Only what begins in text and holds nothing but text and comments; a surrogate half is none in UTF-8.
        if (doubleEscaped || !initialStates.includes('Data state') || /[\0\ud800-\udfff]/.test(input)) continue;
        if (output.every(([kind]) => kind === 'Character' || kind === 'Comment')) {
          const text = output.map(([kind, data]) => (kind === 'Character' ? (data as string) : '')).join('');
          // A word before and after, since blanks at the ends go.
          const visible = read(`x${input}`).visible;
          if (oneLine(visible) !== oneLine(`x${text}`)) wrong.push(`${description}: ${JSON.stringify(visible)}`);
        }
        const [kind, name, attributes] = output[0] ?? [];
        const values = Object.values((attributes ?? {}) as Record<string, string>);
        if (output.length === 1 && kind === 'StartTag' && name === 'h' && values.length === 1 && /^<h a=/.test(input)) {
          const [link] = read(input.replace(/^<h a=/, '<a href=')).links;
          const href = URL.canParse(values[0]!, 'http://h/') ? new URL(values[0]!, 'http://h/').href : undefined;
          if (link?.url !== href) wrong.push(`${description}: ${link?.url}, not ${href}`);
        }
      }
      assert.equal(wrong, []);
    });
}
Html5lib.run();
