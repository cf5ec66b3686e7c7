import type { Answer, Ask, Explanation, Hit, SearchSource } from '../../src/serve/source.ts';

/** A search source whose answers are set by the test, with a log of what it was asked. */
export class FakeSource implements SearchSource {
  readonly asked: { query: string; ask: Ask }[] = [];
  hits: Hit[] = [];
  more: Partial<Answer> = {};
  reloads = 0;
  name: string | undefined;
  failure: Error | null = null;

  async search(query: string, ask: Ask): Promise<Answer> {
    this.asked.push({ query, ask });
    if (this.failure) throw this.failure;
    const hits = this.hits.slice(ask.from, ask.from + ask.limit);
    return { total: this.hits.length, hits, ...this.more };
  }
  async suggest(prefix: string, limit: number): Promise<readonly string[]> {
    const titles = this.hits.map((hit) => hit.title);
    return titles.filter((title) => title.toLowerCase().startsWith(prefix.toLowerCase())).slice(0, limit);
  }
  async why(url: string): Promise<Explanation> {
    return {
      url,
      normalized: url,
      verdict: 'It is not in the index.',
      steps: [
        { step: 'address', ok: true, reason: 'it is an address of the scope' },
        { step: 'robots.txt', ok: false, reason: 'robots.txt forbids it', rule: 'Disallow: /private/' },
      ],
    };
  }
  async reload(): Promise<void> {
    this.reloads++;
  }
  async documents(): Promise<number> {
    return this.hits.length;
  }
}

/** `count` hits about squirrels, with addresses in order. */
export const someHits = (count: number): Hit[] =>
  Array.from({ length: count }, (_, i) => ({
    id: `${i + 1}`,
    url: `https://example.org/wood/page-${i + 1}.html`,
    title: `Squirrel ${i + 1}`,
    score: 1 / (i + 1),
    snippet: `The <mark>red squirrel</mark> number ${i + 1} eats hazel nuts &amp; pine cones.`,
    modified: `2026-0${(i % 9) + 1}-12T08:00:00Z`,
    type: i % 4 === 3 ? 'application/pdf' : 'text/html',
    lang: i % 2 ? 'de' : 'en',
  }));
