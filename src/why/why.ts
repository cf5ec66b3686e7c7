import { decodeState } from '../page/codec.ts';
import { keyOf } from '../page/key.ts';
import { explain, type Reason } from '../page/reason.ts';
import type { PageState } from '../page/state.ts';
import { type SegmentPage, segmentPage, segmentsOf } from '../read/segment.ts';
import type { Tables } from '../store/tables.ts';
import type { Admit } from '../url/admit.ts';
import { isFolder } from '../url/files.ts';
import { adviceFor } from './advice.ts';

/** What became of one address, step by step, each with the record or rule that decided it. */
export interface Explanation {
  readonly url: string;
  /** The address as the crawl writes it; null when it is none. */
  readonly normalized: string | null;
  /** One sentence. */
  readonly verdict: string;
  /** What can be done about it, one sentence; absent where nothing has to be. */
  readonly advice?: string;
  readonly steps: readonly Step[];
}
export interface Step {
  readonly step: StepName;
  readonly ok: boolean;
  /** Plain words. */
  readonly reason: string;
  /** The rule, limit or record behind it. */
  readonly rule?: string;
}
export type StepName = 'seed' | 'inject' | 'generate' | 'fetch' | 'parse' | 'update' | 'index' | 'dedup' | 'hit';

export interface WhySources {
  readonly dir: string;
  readonly tables: Tables;
  readonly seeds: readonly string[];
  readonly admit: Admit;
  readonly maxDepth: number;
  readonly now: number;
  /** Pages that link to it, some of them, as far as linkdb knows. */
  linksTo(url: string): Promise<readonly { readonly from: string; readonly anchor: string }[]>;
  /** The document of the published index, or null. */
  indexed(url: string): Promise<{ readonly segment: string } | null>;
  /** The published index was made with this crawl segment. */
  published(segment: string): Promise<boolean>;
  /** What it lost to as a duplicate, or null. */
  duplicate(url: string): Promise<{ readonly winner: string; readonly rule: string } | null>;
  /** The group of pages with nearly the same text that it is in, or null. */
  near(url: string): Promise<{ readonly leader: string; readonly pages: number } | null>;
}

/** Follows an address from seed to hit, and stops at the first step that did not let it through. */
export async function whyOf(given: string, sources: WhySources): Promise<Explanation> {
  const steps: Step[] = [];
  const add = (step: StepName, ok: boolean, reason: string, rule?: string): void => {
    steps.push({ step, ok, reason, ...(rule ? { rule } : {}) });
  };
  const admitted = sources.admit(given.trim());
  const normalized = admitted.url ?? admitted.normalized ?? null;
  const end = (verdict: string, advice = ''): Explanation => ({
    url: given,
    normalized,
    verdict,
    ...(advice ? { advice } : {}),
    steps,
  });
  const advise = (reason: Reason, target = ''): string => adviceFor({ reason, url: normalized ?? given, target });
  const key = normalized === null ? null : keyOf(normalized);
  const bytes = key === null ? undefined : await sources.tables.crawldb.get(key);
  const state = bytes ? decodeState(bytes) : null;

  const id = given.trim();
  const known = state ? null : ((await sources.indexed(id)) ?? (normalized && (await sources.indexed(normalized))));
  if (known && known.segment !== '') {
    const because = `segment ${known.segment}, and ${explain('forgotten')}`;
    add('index', true, `it was indexed from ${because}`);
    add('hit', true, 'a search can find it, until the next nuthatch clean');
    return end(
      `It is in the index from ${because}: a search finds it until nuthatch clean takes it out.`,
      'Run nuthatch clean.',
    );
  }
  if (known) {
    add('index', true, 'it was added as a document, without a crawl');
    add('hit', true, 'a search can find it');
    return end('It was added to the index as a document, and a search can find it.');
  }
  if (normalized === null) {
    const { reason } = admitted as { reason: Reason };
    add('seed', false, explain(reason));
    return end(`It is not part of the crawl: ${explain(reason)}, and no document has this id.`, advise(reason));
  }
  if (admitted.url === null && !state) {
    const { reason, rule } = admitted as { reason: Reason; rule?: string };
    add('seed', false, explain(reason), rule);
    return end(`It is not part of the crawl: ${explain(reason)}.`, advise(reason));
  }
  const links = await sources.linksTo(normalized);
  const isSeed = sources.seeds.includes(normalized);
  const linked =
    links.length > 1
      ? `${links.length} pages link to it, one is ${links[0]!.from}`
      : links.length === 1
        ? `one page links to it: ${links[0]!.from}`
        : '';
  if (!state) {
    add('seed', false, linked || 'no seed names it, and no page that was fetched links to it');
    if (links.length === 0)
      return end(
        'It is not known: no seed names it, and no page that was fetched links to it.',
        'Name it as a seed, or link to it from a page of the crawl.',
      );
    const depths = await depthsOf(links, sources.tables);
    const least = Math.min(...depths) + 1;
    if (sources.maxDepth >= 0 && least > sources.maxDepth) {
      add('inject', false, explain('too-deep'), `${least} links from a seed, scope.depth is ${sources.maxDepth}`);
      return end(`It was not taken up: ${explain('too-deep')}.`, advise('too-deep'));
    }
    add('inject', false, 'a page links to it, but crawldb has not taken it up: updatedb has not run since');
    return end('It waits for updatedb.', 'Run nuthatch updatedb, or the same crawl again.');
  }
  add('seed', true, isSeed ? 'a seed names it' : linked || 'a page that was fetched linked or redirected to it');
  add(
    'inject',
    true,
    `crawldb knows it as ${state.status}, ${state.depth} link${state.depth === 1 ? '' : 's'} from a seed`,
  );
  if (admitted.url === null) {
    add('generate', false, `${explain(admitted.reason)}, since the options were changed`, admitted.rule);
    return end(`It is not fetched any more: ${explain(admitted.reason)}.`, advise(admitted.reason));
  }

  const page = lastPage(sources.dir, normalized);
  if (!page && state.status === 'unfetched' && state.reason === 'none') {
    add('generate', false, waiting(state, sources.now));
    return end(`It was never fetched: ${waiting(state, sources.now)}.`, 'Run the same crawl again when it is due.');
  }
  add('generate', true, page ? `segment ${page.segment} holds it` : 'it was fetched; its segment is gone');
  const outcome = page?.outcome;
  const reason = outcome?.reason ?? state.reason;
  if (page && !outcome) {
    add('fetch', false, 'its segment has not been fetched');
    return end(`It waits in segment ${page.segment} to be fetched.`, 'Run nuthatch fetch, or the same crawl again.');
  }
  const fetched = outcome ? outcome.kind === 'success' || outcome.kind === 'not-modified' : isFetched(state);
  const status = outcome?.httpStatus ?? state.httpStatus;
  const said = status === 0 || explain(reason).includes(`(${status})`) ? '' : `HTTP status ${status}`;
  const told = outcome?.detail ?? '';
  // A redirect that was refused has its target in the detail alone, before the rule.
  const refused = reason === 'redirect-rejected' ? (/^(https?:\/\/\S+): /.exec(told)?.[1] ?? '') : '';
  const detail = [said, refused ? told.slice(refused.length + 2) : told].filter(Boolean).join(', ');
  const target = refused || outcome?.target || state.target;
  // What a page that came was found to be is told by the steps after this one.
  const came = outcome?.kind === 'success' && reason !== 'ok' ? 'it was fetched' : explain(reason);
  add('fetch', fetched, `${came}${target ? `: ${target}` : ''}`, detail);
  if (!fetched) {
    const because = `${explain(reason)}${target ? ` (${target})` : ''}`;
    const advice = advise(reason, target);
    const older = await sources.indexed(normalized);
    if (!older) return end(`It was not fetched: ${because}.`, advice);
    add('index', true, `indexed from segment ${older.segment}, as it was fetched before`);
    add('hit', true, 'a search can find it');
    return end(
      `It is in the index as it was fetched before, and a search can find it; the last time it was not fetched: ${because}.`,
      advice,
    );
  }

  const parsed = page?.data ? page : null;
  // It has links and no text: it is a sitemap, or was read for them alone.
  const linksAlone = !parsed && page?.links !== undefined && reason !== 'sitemap';
  if (outcome?.kind === 'success' && reason === 'sitemap') {
    const read = `it is ${outcome.detail}, and no page itself`;
    add('parse', false, read, outcome.contentType);
    return end(`It was read for the pages it names: ${read}.`);
  }
  if (outcome?.kind === 'success' && !parsed && !linksAlone) {
    const unread = explain(reason === 'ok' ? 'not-parsed' : reason);
    add('parse', false, unread, outcome.contentType);
    return end(`It was fetched but not read: ${unread}.`, advise(reason));
  }
  const data = parsed?.data;
  add(
    'parse',
    true,
    data
      ? `${data.contentType || 'unknown type'}, title ${JSON.stringify(data.title)}`
      : linksAlone
        ? `it was read for its links alone, ${page!.links!.links.length} of them`
        : 'it was read',
    data?.problems.join('; '),
  );
  add('update', true, `crawldb: ${state.status}, due ${new Date(state.due).toISOString()}`);

  const document = await sources.indexed(normalized);
  const lost = document ? null : await sources.duplicate(normalized);
  if (!document && !lost) {
    const [because, advice] = linksAlone
      ? (['no text of it is kept, since the crawl reads links alone (index.linksOnly)', advise('links-only')] as const)
      : refusal(parsed, normalized, page !== null && (await sources.published(page.segment)));
    add('index', false, because);
    return end(`It is not in the index: ${because}.`, advice);
  }
  add('index', true, document ? `indexed from segment ${document.segment}` : 'it was indexed');
  if (lost) {
    add('dedup', false, `it is a duplicate of ${lost.winner}`, lost.rule);
    return end(`It was removed as a duplicate of ${lost.winner}: ${lost.rule}.`);
  }
  const near = await sources.near(normalized);
  if (!near) {
    add('dedup', true, 'nothing better has the same content');
    add('hit', true, 'a search can find it');
    return end('It is in the index, and a search can find it.');
  }
  const group = `${near.pages} pages have nearly the same text`;
  add('dedup', true, near.leader === normalized ? `${group}, it is the first of them` : `${group} as ${near.leader}`);
  add('hit', true, 'a search shows one of these pages, the best for the query, and offers the others as similar pages');
  return end(
    `It is in the index. ${near.pages} pages have nearly its text${near.leader === normalized ? '' : `, first of all ${near.leader}`}: a search shows the best of them, and the others behind a link to similar pages.`,
  );
}

const isFetched = (state: PageState): boolean => state.status === 'fetched' || state.status === 'not-modified';

function waiting(state: PageState, now: number): string {
  if (state.lease && state.lease.expires > now)
    return `segment ${state.lease.segment} has it until ${new Date(state.lease.expires).toISOString()}`;
  if (state.due > now) return `it is due ${new Date(state.due).toISOString()}`;
  return `it is due, with score ${state.score.toPrecision(3)}; the next generate takes the best scored first`;
}

/** Why a page that was read is not in the index, and what can be done about it. */
function refusal(page: SegmentPage | null, url: string, isPublished: boolean): readonly [string, string] {
  const { data, text } = page ?? {};
  const because = (reason: Reason, target = ''): readonly [string, string] => [
    `${explain(reason)}${target ? `: ${target}` : ''}`,
    adviceFor({ reason, url, target }),
  ];
  if (isFolder(url)) return because('folder');
  if (data?.robots.noindex) return because('noindex');
  if (data?.canonical && data.canonical !== url) return because('canonical', data.canonical);
  if (data && !data.title && !text?.text && !text?.boilerplate) return because('empty');
  if (!data)
    return [
      'no segment holds its text any more',
      'Run nuthatch inject --overwrite with its address, and the same crawl again.',
    ];
  if (isPublished)
    return ['its segment is in the index, and it is not', 'Run nuthatch index --all, which makes the index anew.'];
  return ['its segment has not been indexed yet', 'Run nuthatch index.'];
}

/** The newest segment with an outcome for the page, else the newest that holds it. */
function lastPage(dir: string, url: string): SegmentPage | null {
  let waits: SegmentPage | null = null;
  for (const segment of segmentsOf(dir).reverse()) {
    const page = segmentPage(dir, segment, url);
    if (page?.outcome && page.outcome.kind !== 'skipped' && page.outcome.kind !== 'not-modified') return page;
    waits ??= page;
  }
  return waits;
}

async function depthsOf(links: readonly { readonly from: string }[], tables: Tables): Promise<number[]> {
  const depths: number[] = [];
  for (const { from } of links.slice(0, 100)) {
    const source = await tables.page(keyOf(from));
    if (source) depths.push(source.depth);
  }
  return depths.length > 0 ? depths : [0];
}
