import type { WebOptions } from './options.ts';
import { PageMaker } from './page.ts';
import { logNormal, unit } from './seeded.ts';
import { type Answer, type Limit, loopback, notFound, plainAnswer, type Site } from './site.ts';
import { Web } from './web.ts';

/** A web made from a seed, as a site: joins what there is (Web) with how it reads (PageMaker). */
export class SyntheticSite implements Site {
  readonly web: Web;
  readonly #maker: PageMaker;
  readonly #port: () => number;

  /** `port` is asked when an address is written: it is known only once the server listens. */
  constructor(options: WebOptions, port: () => number) {
    this.web = new Web(options);
    this.#port = port;
    this.#maker = new PageMaker(this.web, (host) => `${this.hostName(host)}:${this.#port()}`);
  }

  get hosts(): number {
    return this.web.hosts;
  }

  get pages(): number {
    return this.web.pages;
  }

  get maker(): PageMaker {
    return this.#maker;
  }

  hostName(host: number): string {
    return this.web.options.hostBy === 'name' ? `h${host}.lab.localhost` : loopback(host);
  }

  seeds(): string[] {
    return [`http://${this.hostName(0)}:${this.#port()}/`];
  }

  answer(host: number, path: string, epoch: number): Answer {
    const { web } = this;
    if (path === '/robots.txt')
      return plainAnswer({ what: 'robots', contentType: 'text/plain', body: () => this.#maker.robots(host) });
    const sitemap = /^\/sitemap(?:-(\d{1,6}))?\.xml$/.exec(path);
    if (sitemap) {
      const body = this.#maker.sitemap(host, sitemap[1] === undefined ? -1 : Number(sitemap[1]));
      return body
        ? plainAnswer({ what: 'sitemap', contentType: 'application/xml', body: () => body })
        : { ...notFound(), what: 'sitemap' };
    }
    const page = web.pageAt(host, path);
    if (page < 0) return notFound();
    const id = web.id(host, page);
    const { latencyMs: median, latencySigma, seed } = web.options;
    const timing = {
      page: id,
      latencyMs: median > 0 ? logNormal(unit(seed, id, 401), unit(seed, id, 409), median, latencySigma) : 0,
      mishap: web.mishap(host, page),
    };
    switch (web.kind(host, page)) {
      case 'missing':
        return { ...notFound(id), ...timing };
      case 'broken':
        return plainAnswer({ ...timing, status: 500, body: () => Buffer.from('<p>broken</p>') });
      case 'redirect':
        return plainAnswer({
          ...timing,
          status: web.permanent(host, page) ? 301 : 302,
          location: web.path(host, web.target(host, page)),
        });
      default:
        return plainAnswer({
          ...timing,
          etag: this.#maker.etag(host, page, epoch),
          body: () => this.#maker.body(host, page, epoch),
        });
    }
  }

  address(page: number): string {
    let host = 0;
    while (this.web.offsets[host + 1]! <= page) host++;
    return `http://${this.hostName(host)}:${this.#port()}${this.web.path(host, page - this.web.offsets[host]!)}`;
  }

  #kind(page: number) {
    const { offsets } = this.web;
    let low = 0;
    let high = this.hosts;
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if (offsets[middle]! <= page) low = middle;
      else high = middle;
    }
    return this.web.kind(low, page - offsets[low]!);
  }

  denied(page: number): boolean {
    return this.#kind(page) === 'denied';
  }

  expected(page: number): boolean {
    return !this.denied(page);
  }

  servable(page: number): boolean {
    const kind = this.#kind(page);
    return kind === 'page' || kind === 'duplicate' || kind === 'near' || kind === 'noindex';
  }

  crawlDelayMs(host: number): number {
    return this.web.crawlDelayMs(host);
  }

  limit(host: number): Limit | null {
    const { limitMs: leastMs, retryAfterSeconds } = this.web.options;
    return this.web.limited(host) ? { leastMs, retryAfterSeconds } : null;
  }
}
