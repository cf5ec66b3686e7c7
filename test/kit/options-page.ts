import { readFileSync } from 'node:fs';

/**
 * The tables of docs/configuration.md, made from the comments and values of src/options.ts: a heading and a table a group.
 * The page is checked against this, and made anew by `UPDATE_DOCS=1 npm test -- docs`.
 */
export function optionTables(source: string = readFileSync('src/options.ts', 'utf8')): string {
  const body = source.slice(source.indexOf('export const defaults'), source.indexOf('export type Settled'));
  const out: string[] = [];
  let comment = '';
  let group = '';
  let last = '';
  const lines = body.split('\n');
  for (let i = 1; i < lines.length; i++) {
    const line = lines[i]!.trim();
    if (line.startsWith('/**')) {
      comment = line;
      while (!lines[i]!.includes('*/')) comment += ` ${lines[++i]!.trim().replace(/^\*(?!\/)\s?/, '')}`;
      comment = comment.replace(/^\/\*\*\s*|\s*\*\/$/g, '').trim();
    } else if (/^\w+: \{$/.test(line) && group === '') {
      group = line.slice(0, line.indexOf(':'));
      out.push(`## ${group}`, '', comment, '', '| option | default | meaning |', '|---|---|---|');
      comment = '';
      last = '';
    } else if (line === '},') {
      out.push('');
      group = '';
    } else if (/^\w+:/.test(line)) {
      const name = line.slice(0, line.indexOf(':'));
      let value = line.slice(line.indexOf(':') + 1);
      while (!value.trimEnd().endsWith(',')) value += lines[++i]!.trim();
      value = value
        .trim()
        .replace(/,$/, '')
        .replace(/ as .*$/, '')
        .replaceAll("'", '"');
      // Keys without a comment of their own share the one above them.
      const meaning = comment || last;
      out.push(`| \`${group}.${name}\` | ${cell(shown(value))} | ${cell(meaning)} |`);
      last = comment || last;
      comment = '';
    }
  }
  return `${out.join('\n').trim()}\n`;
}

/** A value as one types it: products and shifts worked out, without digit separators. */
function shown(value: string): string {
  const sum = /^([\d_]+) (\*|<<) ([\d_]+)$/.exec(value);
  if (!sum) return `\`${value.replace(/(\d)_(?=\d)/g, '$1')}\``;
  const [left, right] = [sum[1]!, sum[3]!].map((n) => Number(n.replaceAll('_', ''))) as [number, number];
  return `\`${sum[2] === '*' ? left * right : left << right}\``;
}

const cell = (text: string): string => text.replaceAll('|', '\\|');
