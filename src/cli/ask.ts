import { linesOf } from '../lines.ts';
import type { Ask, Hit } from '../search/answer.ts';
import type { SearchSession } from '../search/session.ts';
import type { Call, Command } from './call.ts';
import { count } from './figures.ts';
import { withCrawl, withSearch } from './open.ts';
import { placed } from './place.ts';
import { safe } from './print.ts';
import { wrapped } from './wrap.ts';

const askOf = ({ flags }: Call): Ask => ({
  limit: (flags.limit as number | undefined) ?? 10,
  from: (flags.from as number | undefined) ?? 0,
  ...(typeof flags.sort === 'string' ? { sort: flags.sort } : {}),
  ...(typeof flags.filter === 'string' ? { filter: flags.filter } : {}),
  ...(typeof flags.lang === 'string' ? { lang: flags.lang } : {}),
  ...(typeof flags.group === 'string' ? { group: flags.group } : {}),
  ...(typeof flags.near === 'string' ? { near: flags.near } : {}),
  ...(flags.facet ? { facets: flags.facet as string[] } : {}),
  ...(flags.explain ? { explain: true } : {}),
});

const MARKS = /<\/?mark>|&(?:amp|lt|gt|quot|#39);/g;
const PLAIN: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" };
/** A snippet for a terminal: what matched in bold where there are colours. */
const plainSnippet = (html: string, bold: boolean): string =>
  html
    .replaceAll(MARKS, (tag) => PLAIN[tag] ?? (bold ? (tag === '<mark>' ? '\x1b[1m' : '\x1b[0m') : ''))
    .replaceAll(/[^\S ]+/g, ' ');

/** A terminal gets lines that end between words, further ones below the first word; a pipe gets one line. */
async function hang(call: Call, before: string, text: string, indent = before.length): Promise<void> {
  const lines = process.stdout.isTTY ? wrapped(safe(text), (process.stdout.columns ?? 80) - 1 - indent) : [safe(text)];
  for (const [i, line] of lines.entries()) await call.out(`${i === 0 ? before : ' '.repeat(indent)}${line}`);
}

async function printHit(call: Call, place: number, hit: Hit): Promise<void> {
  const bold = process.stdout.isTTY === true && !process.env.NO_COLOR;
  await hang(call, `${place}. `, hit.title || hit.url || hit.id);
  await call.out(safe(`   ${hit.section?.url ?? hit.link ?? hit.url ?? hit.id}`));
  if (hit.section) await hang(call, '   ', `Section: ${hit.section.text}`);
  if (hit.snippet) await hang(call, '   ', plainSnippet(hit.snippet, bold));
  if (hit.more) {
    const group = (call.flags.group as string | undefined) ?? 'near';
    const what = group === 'near' ? `similar page${hit.more === 1 ? '' : 's'}` : `of the same ${group}`;
    await call.out(safe(`   + ${count(hit.more)} ${what}${group === 'near' ? `: --near ${hit.id}` : ''}`));
  }
  for (const line of hit.explanation?.split('\n') ?? []) {
    const depth = line.length - line.trimStart().length;
    await hang(call, `   | ${line.slice(0, depth)}`, line.trimStart(), 7 + depth);
  }
}

async function batch(session: SearchSession, call: Call): Promise<number> {
  const ask = askOf(call);
  for await (const line of linesOf(call.flags.batch as string)) {
    if (line.trim() === '') continue;
    let answer: Record<string, unknown>;
    try {
      const { id, query } = JSON.parse(line) as { id?: unknown; query?: unknown };
      if (typeof query !== 'string') throw new Error('a line must be {"id": ..., "query": "..."}');
      const { hits, total, isTotalExact } = session.search(query, ask);
      answer = { id, total, isTotalExact, hits };
    } catch (error) {
      answer = { error: (error as Error).message };
    }
    await call.out(JSON.stringify(answer));
  }
  return 0;
}

const search: Command = {
  name: 'search',
  args: '[query...]',
  says: 'finds pages: words, "phrases", +must, -not, field:word, prefix*, fuzzy~, site:, type:, lang:',
  flags: [
    { flag: '-n, --limit <n>', says: 'hits wanted (default 10)', least: 0 },
    { flag: '--from <k>', says: 'hits skipped', least: 0 },
    {
      flag: '--sort <field>',
      says: 'by modified, published, fetched, bytes, site, domain, type or lang, instead of by relevance; -modified: newest first',
    },
    {
      flag: '--filter <query>',
      says: 'what hits must match as well, without a say in their order; without words, all that match it',
    },
    { flag: '--facet <field>', says: 'counts the values of a field (as for --sort) over all hits', many: true },
    {
      flag: '--group <field>',
      says: 'one hit a value: site, domain, type, near (pages with nearly the same text), none',
    },
    { flag: '--near <url>', says: 'only this page and those with nearly the same text, each of them' },
    { flag: '--lang <tag>', says: 'language of the query' },
    { flag: '--explain', says: 'how each score came about' },
    {
      flag: '--batch <file>',
      says: 'many queries: lines of {"id", "query"}; answers lines of {"id", "hits"}; - is stdin',
    },
  ],
  examples: ['search red squirrel', 'search \'"red squirrel" site:example.org -zoo\' -n 20 --json'],
  run: (call) =>
    withSearch(call, async (session) => {
      if (call.flags.batch) return batch(session, call);
      const query = call.args.join(' ');
      const answer = session.search(query, askOf(call));
      if (call.json) {
        await call.out(JSON.stringify(answer));
        return 0;
      }
      for (const problem of answer.problems ?? []) call.note(`note: ${problem}`);
      let place = (call.flags.from as number | undefined) ?? 0;
      for (const hit of answer.hits) await printHit(call, ++place, hit);
      for (const [field, values] of Object.entries(answer.facets ?? {}))
        await hang(
          call,
          `${field}: `,
          [
            ...values.map(({ value, count: n }) => `${value} (${count(n)})`),
            ...(answer.moreFacets?.[field] ? [`and ${count(answer.moreFacets[field])} more`] : []),
          ].join(', ') || 'no values',
        );
      if (answer.unmet?.facets) call.note(safe(`note: ${answer.unmet.facets}`));
      call.note(
        `${answer.isTotalExact === false ? 'at least ' : ''}${count(answer.total)} hit${answer.total === 1 ? '' : 's'}`,
      );
      if (answer.suggestion) call.note(safe(`did you mean: ${answer.suggestion}`));
      return 0;
    }),
};

const suggest: Command = {
  name: 'suggest',
  args: '<prefix...>',
  says: 'type-ahead: titles, headings and hosts that begin so',
  flags: [{ flag: '-n, --limit <n>', says: 'suggestions wanted (default 10)', least: 1 }],
  examples: ['suggest red squ'],
  run: (call) =>
    withSearch(call, async (session) => {
      const suggestions = session.suggest(call.args.join(' '), (call.flags.limit as number | undefined) ?? 10);
      if (call.json) await call.out(JSON.stringify({ suggestions }));
      else for (const one of suggestions) await call.out(safe(one));
      return 0;
    }),
};

const why: Command = {
  name: 'why',
  args: '<url>',
  says: 'follows one address from seed to hit and says where it stopped, by which rule',
  flags: [],
  examples: ['why https://example.org/missing'],
  run: (call) =>
    withCrawl(call, async (crawl) => {
      const named = call.args[0]!;
      const asked = await crawl.why(named);
      // A document's id may look like a path; only what is unknown by that name is one.
      const place = asked.steps[0]?.ok ? named : placed(named);
      const explanation = place === named ? asked : await crawl.why(place);
      if (call.json) await call.out(JSON.stringify(explanation));
      else {
        for (const { step, ok, reason, rule } of explanation.steps)
          await hang(call, `${ok ? 'yes' : 'no '}  ${step.padEnd(9)} `, `${reason}${rule ? ` [${rule}]` : ''}`);
        await hang(call, '', explanation.verdict);
        if (explanation.advice) await hang(call, '', explanation.advice);
      }
      return 0;
    }),
};

export const askCommands: readonly Command[] = [search, suggest, why];
