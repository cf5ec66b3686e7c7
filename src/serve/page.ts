import type { PageAsked } from './asked.ts';
import { escapeHtml, type Html, html, linkable, markedHtml, type Value } from './html.ts';
import { DEEPEST_HIT, type ServeSettings } from './settings.ts';
import type { Answer, Explanation, Hit } from './source.ts';

/** Where links of the page lead, and what may be shown on it. */
export interface Place {
  /** Prefix of every path, '' or `/search`. */
  readonly base: string;
  /** Appended to the paths of style and script, so that they can be kept for ever. */
  readonly version: string;
  /** The page may link to `why`. */
  readonly why: boolean;
}

/** Fills `{{name}}` in the skeleton, once: what is filled in is not looked at again. */
export const fill = (skeleton: string, slots: Readonly<Record<string, Html | string>>): string =>
  skeleton.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = slots[name] ?? '';
    return typeof value === 'string' ? escapeHtml(value) : value.text;
  });

const FIELD_TITLES: Record<string, string> = { site: 'Site', type: 'Type', lang: 'Language' };
const TYPE_TITLES: Record<string, string> = {
  'text/html': 'Page',
  'application/xhtml+xml': 'Page',
  'application/pdf': 'PDF',
  'text/plain': 'Text',
  'application/msword': 'Word',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'Word',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'Excel',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'PowerPoint',
  'application/vnd.oasis.opendocument.text': 'OpenDocument',
};
const number = new Intl.NumberFormat('en');
const languages = new Intl.DisplayNames('en', { type: 'language', fallback: 'code' });

/** The value of a facet as people call it. */
function valueTitle(field: string, value: string): string {
  if (field === 'type') return TYPE_TITLES[value] ?? value;
  if (field !== 'lang') return value;
  try {
    return languages.of(value) ?? value;
  } catch {
    return value; // no language tag: shown as it was stored
  }
}

/** Address of the search page for `asked`, changed by `change`. */
function pageHref(base: string, asked: PageAsked, change: Partial<PageAsked> = {}): string {
  const { query, page, sort, narrow, lang, near } = { ...asked, page: 1, ...change };
  const params = new URLSearchParams();
  if (query) params.set('q', query);
  for (const { field, value } of narrow) params.append('f', `${field}:${value}`);
  if (sort) params.set('sort', sort);
  if (lang) params.set('lang', lang);
  if (near) params.set('near', near);
  if (page > 1) params.set('page', String(page));
  const text = params.toString();
  return `${base}/${text && `?${text}`}`;
}

/** `example.org › docs › page`: readable, without scheme and query sign; the link itself is exact. */
function trail(href: string): string {
  const url = new URL(href);
  const path = url.pathname.split('/').filter((part) => part !== '');
  const shown = path.map((part) => {
    try {
      return decodeURIComponent(part);
    } catch {
      return part; // not UTF-8: shown as it is written
    }
  });
  return [url.host, ...shown].filter((part) => part !== '').join(' › ') + (url.search && ` ${url.search}`);
}

const whereOf = (hit: Hit, address: string | null): string =>
  hit.path !== undefined ? hit.path.split('/').join(' › ') : address ? trail(address) : (hit.url ?? hit.id);

function hitItem(hit: Hit, place: Place, asked: PageAsked): Html {
  const href = linkable(hit.link ?? hit.url);
  // A page of the web may not lead to a file of its reader's machine: its place is told, and can be asked after.
  const file = hit.url?.startsWith('file:///') ? hit.url : null;
  const own = linkable(hit.url) ?? file;
  const below = hit.section && linkable(hit.section.url);
  const title = hit.title.trim() || hit.url || hit.id;
  const day = hit.modified && /^\d{4}-\d{2}-\d{2}/.exec(hit.modified)?.[0];
  const type = hit.type && hit.type !== 'text/html' ? valueTitle('type', hit.type) : '';
  const lang = hit.lang && /^[A-Za-z0-9-]{2,35}$/.test(hit.lang) && html` lang="${hit.lang}"`;
  return html`<li class="hit">
  <h2 dir="auto"${lang}>${href ? html`<a href="${href}">${title}</a>` : title}</h2>
  <p class="where"><bdi>${whereOf(hit, href ?? file)}</bdi>${
    below && html` › <a class="quiet" href="${below}"><bdi>${hit.section!.text}</bdi></a>`
  }</p>
  <p class="snippet" dir="auto"${lang}>${markedHtml(hit.snippet)}</p>
  <p class="about">${type && html`<span class="tag">${type}</span>`}${day && html`<time datetime="${day}">${day}</time>`}${
    hit.more &&
    html`<a class="quiet" href="${pageHref(place.base, asked, { near: hit.id })}">${hit.more === 1 ? '1 similar page' : `${number.format(hit.more)} similar pages`}</a>`
  }${
    place.why &&
    own &&
    html`<a class="quiet" href="${place.base}/why?url=${encodeURIComponent(own)}" aria-label="Why is ${title} here?">Why is this here?</a>`
  }</p>
</li>`;
}

/** Pages to offer: the first, those around the present one, no jump beyond the deepest hit. */
export function pagesAround(page: number, total: number, pageSize: number): readonly number[] {
  const last = Math.max(1, Math.ceil(Math.min(total, DEEPEST_HIT) / pageSize));
  const from = Math.max(1, Math.min(page - 2, last - 4));
  const near = Array.from({ length: Math.min(5, last - from + 1) }, (_, i) => from + i);
  return near[0] === 1 || near.length === 0 ? near : [1, ...near];
}

function paging(asked: PageAsked, total: number, settings: ServeSettings, base: string): Value {
  const pages = pagesAround(asked.page, total, settings.pageSize);
  const last = Math.ceil(Math.min(total, DEEPEST_HIT) / settings.pageSize);
  if (last < 2) return '';
  const to = (page: number, label: Value, rel?: string): Html =>
    html`<li><a href="${pageHref(base, asked, { page })}"${rel && html` rel="${rel}"`}>${label}</a></li>`;
  return html`<nav class="pages" aria-label="Pages of results"><ul>
${asked.page > 1 && to(asked.page - 1, 'Back', 'prev')}
${pages.map((page, i) => [
  i === 1 && page > 2 && html`<li aria-hidden="true">…</li>`,
  page === asked.page
    ? html`<li><a href="${pageHref(base, asked, { page })}" aria-current="page">${page}</a></li>`
    : to(page, page),
])}
${asked.page < last && to(asked.page + 1, 'Next', 'next')}
</ul></nav>`;
}

/** Values of a facet shown. */
const SHOWN_VALUES = 8;

function facetPanel(asked: PageAsked, answer: Answer, settings: ServeSettings, base: string): Value {
  const groups = settings.facets.flatMap((field) => {
    const values = answer.facets?.[field] ?? [];
    const chosen = asked.narrow.filter((narrow) => narrow.field === field).map((narrow) => narrow.value);
    if (values.length < 2 && chosen.length === 0) return [];
    const hidden = Math.max(0, values.length - SHOWN_VALUES) + (answer.moreFacets?.[field] ?? 0);
    const items = values.slice(0, SHOWN_VALUES).map(({ value, count }) => {
      const on = chosen.includes(value);
      const narrow = on
        ? asked.narrow.filter((one) => one.field !== field || one.value !== value)
        : [...asked.narrow, { field, value }];
      return html`<li><a href="${pageHref(base, asked, { narrow })}"${on && html` aria-current="true"`}><bdi>${valueTitle(field, value)}</bdi><span class="count">${on ? '×' : number.format(count)}</span></a></li>`;
    });
    return [
      html`<h3>${FIELD_TITLES[field] ?? field}</h3><ul>${items}${hidden > 0 && html`<li><span class="count">and ${number.format(hidden)} more</span></li>`}</ul>`,
    ];
  });
  if (groups.length === 0) return '';
  return html`<details class="facets"><summary>Narrow down${asked.narrow.length > 0 && html` <span class="count">(${asked.narrow.length} chosen)</span>`}</summary>${groups}</details>`;
}

const summary = (asked: PageAsked, { total, isTotalExact, hits }: Answer, settings: ServeSettings): string => {
  if (total === 0) return 'No results';
  const pages = `${isTotalExact === false ? 'at least ' : ''}${number.format(total)} result${total === 1 ? '' : 's'}`;
  return asked.page === 1 || hits.length === 0
    ? pages
    : `${pages}, from ${number.format((asked.page - 1) * settings.pageSize + 1)} on`;
};

function nothing(asked: PageAsked, place: Place): Html {
  // Quotation marks ask for an order of words that may stand nowhere.
  const bare = asked.query
    .replaceAll(/["\u201c\u201d\u201e]/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return html`<section class="nothing">
  <h2>Nothing matches <bdi>${asked.query}</bdi></h2>
  <ul>
    ${asked.narrow.length > 0 && html`<li><a href="${pageHref(place.base, asked, { narrow: [] })}">Search without the filters</a></li>`}
    ${bare !== asked.query && /[\p{L}\p{N}]/u.test(bare) && html`<li><a href="${pageHref(place.base, asked, { query: bare })}">Search for the same words in any order</a></li>`}
    <li>Check the spelling; fewer or more general words find more.</li>
    <li>The start of a word is enough when a star ends it: <code>config*</code></li>
    ${place.why && html`<li>You expect a certain page? <a href="${place.base}/why">Ask why it is not here.</a></li>`}
  </ul>
</section>`;
}

/** What stands below the search field for an answer. */
export function resultsMain(asked: PageAsked, answer: Answer, settings: ServeSettings, place: Place): Html {
  const { base } = place;
  const dated = answer.hits.some((hit) => hit.modified) || asked.sort !== '';
  const order = (sort: string, label: string): Html =>
    html`<a href="${pageHref(base, asked, { sort })}"${asked.sort === sort && html` aria-current="true"`}>${label}</a>`;
  return html`
<div class="bar"><p role="status">${summary(asked, answer, settings)}</p>${
    dated &&
    answer.total > 1 &&
    html`<p class="order">${order('', 'Best first')}${order('-modified', 'Newest first')}</p>`
  }</div>
${
  answer.suggestion &&
  html`<p class="suggestion">Did you mean <a href="${pageHref(base, asked, { query: answer.suggestion, narrow: [] })}"><bdi>${answer.suggestion}</bdi></a>?</p>`
}
${
  asked.near &&
  html`<p class="note">Pages with nearly the same text as <bdi>${asked.near}</bdi>. <a href="${pageHref(base, asked, { near: '' })}">Back to all results</a></p>`
}
${answer.problems?.map((problem) => html`<p class="note">${problem}</p>`)}
<div class="columns">
<div>
${
  answer.hits.length > 0
    ? html`<ol class="hits" start="${(asked.page - 1) * settings.pageSize + 1}">${answer.hits.map((hit) => hitItem(hit, place, asked))}</ol>`
    : answer.total > 0
      ? html`<p>There are no more results. <a href="${pageHref(base, asked)}">Back to the first page</a></p>`
      : nothing(asked, place)
}
${answer.total > 0 && paging(asked, answer.total, settings, base)}
</div>
${facetPanel(asked, answer, settings, base)}
</div>`;
}

export function welcomeMain(documents: number | null): Html {
  return html`<section class="welcome">
  ${documents !== null && html`<p role="status">${documents === 0 ? 'There is nothing to search yet: no page has been indexed.' : `${documents === 1 ? '1 page' : `${number.format(documents)} pages`} to search`}</p>`}
  <dl>
    <div><dt><code>"red squirrel"</code></dt><dd>these words, in this order</dd></div>
    <div><dt><code>+must -not</code></dt><dd>with the one, without the other</dd></div>
    <div><dt><code>title:install</code></dt><dd>in the title alone</dd></div>
    <div><dt><code>site:example.org</code></dt><dd>from one site</dd></div>
    <div><dt><code>config*</code></dt><dd>every word that starts so</dd></div>
    <div class="key"><dt><code>/</code></dt><dd>the key that leads back to the search field</dd></div>
  </dl>
</section>`;
}

export function whyMain(url: string, explanation: Explanation | null, base: string): Html {
  return html`<section class="why">
  <h2>Why is a page here, or not?</h2>
  <form action="${base}/why" class="line">
    <label for="url">Address</label>
    <input id="url" name="url" type="text" inputmode="url" value="${url}" placeholder="https://example.org/page" autocomplete="off" spellcheck="false">
    <button type="submit">Ask</button>
  </form>
  ${
    explanation &&
    html`<p class="verdict" role="status">${explanation.verdict}</p>
  ${explanation.advice && html`<p>${explanation.advice}</p>`}
  ${explanation.normalized && explanation.normalized !== url && html`<p class="where"><bdi>${explanation.normalized}</bdi></p>`}
  <ol class="steps">${explanation.steps.map(
    (
      step,
    ) => html`<li class="${step.ok ? 'ok' : 'stop'}"><span class="sign" aria-hidden="true">${step.ok ? '✓' : '✕'}</span>
    <div><strong>${step.step}</strong>${!step.ok && html`<span class="unseen"> (stopped)</span>`}
    <p>${step.reason}</p>${step.rule && html`<p><code>${step.rule}</code></p>`}</div></li>`,
  )}</ol>`
  }
</section>`;
}

export const messageMain = (heading: string, text: string): Html =>
  html`<section class="nothing"><h2>${heading}</h2><p>${text}</p></section>`;
