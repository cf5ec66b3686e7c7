import { CookieJar } from '../net/cookies.ts';
import type { Answer, Head, Response } from '../net/get.ts';
import { Logins } from '../net/login.ts';
import { redirectOf } from '../net/redirect.ts';
import { checkRobots } from '../net/robots.ts';
import type { HostOptions } from '../options.ts';
import type { Outcome } from '../page/outcome.ts';
import type { Reason } from '../page/reason.ts';
import { leadsOn } from '../parse/documents/kind.ts';
import { mediaType, wanted } from '../parse/media-type.ts';
import { robotsFlags } from '../parse/meta.ts';
import { parseSettings } from '../parse/settings.ts';
import type { Admit } from '../url/admit.ts';
import { leadsInside } from '../url/files.ts';
import {
  conditionsOf,
  countOutcome,
  hostFailure,
  judgeFailure,
  judgeStatus,
  outcomeOf,
  parserHeaders,
  passing,
  without,
} from './judge.ts';
import { delayOf, hostOptions, retryAfter } from './pace.ts';
import { Patience } from './patience.ts';
import type { Queue } from './queues.ts';
import { askedOf, captured, Reading } from './reading.ts';
import type { Rules } from './rules.ts';
import { type AskingTools, RulesAsking } from './rules-asking.ts';
import type { Hop, Item, RulesAnswer, RulesAsk } from './task.ts';

/**
 * One visit, from the turn of a page to its records: robots, the request, what the answer means for the page and for its
 * host, the parse, the redirect. Everything a visit decides ends in an outcome; nothing is dropped.
 */
export interface VisitTools extends AskingTools {
  /** The gate for where redirects lead. */
  readonly admitRedirect: Admit;
  /** Gives what was asked for another authority's robots.txt to the shard that waits for it. */
  readonly tellRules: (ask: RulesAsk, at: string, answer: RulesAnswer) => void;
}

/** Pages that lead to one login page before it is said. */
const LOGIN_SUSPECTED = 20;

export class Visits {
  readonly #tools: VisitTools;
  readonly #jar = new CookieJar();
  readonly #logins: Logins;
  readonly #reading: Reading;
  /** Login page -> pages that lead to it. */
  readonly #towardsLogin = new Map<string, number>();
  /** Pages that wait there are visits that have not ended. */
  readonly rules: RulesAsking;
  readonly #patience: Patience;
  readonly #ends = new Map<string, number>();
  readonly #counters = new Map<string, number>();
  readonly #counting = (name: string, by: number): void => this.#count(name, by);
  #pages: (readonly [string, Reason, number])[] = [];

  constructor(tools: VisitTools) {
    this.#tools = tools;
    this.#patience = new Patience({
      queues: tools.queues,
      hostFailures: tools.options.net.hostFailures,
      clock: tools.clock,
      end: (item, outcome) => this.end(item, outcome),
    });
    this.#logins = new Logins(tools.options.net.login);
    this.#reading = new Reading(tools, {
      end: (item, outcome) => this.end(item, outcome),
      redirected: (item, answer, to) => this.#redirected(item, answer, to, false, false),
      count: (name, by) => this.#count(name, by),
    });
    this.rules = new RulesAsking(tools, {
      asked: (queue) => void this.#ends.set(queue.id, tools.clock()),
      hold: (queue, reason, status, asked) => this.#patience.hold(queue, reason, status, asked),
      close: (queue, reason, detail) => this.#patience.close(queue, reason, detail, true),
      followSitemaps: (sitemaps, authority) => this.#reading.followSitemaps(sitemaps, authority),
      count: (name) => this.#count(name),
    });
  }

  /** True when a request was made, so that the delay of the queue starts now. */
  async visit(queue: Queue<Item>, item: Item): Promise<boolean> {
    const { options, queues, client, log } = this.#tools;
    if (this.#patience.refuses(queue, item)) return false;
    const url = new URL(item.url);
    if (item.rulesOf) {
      this.#tools.tellRules(item.rulesOf, item.url, await this.rules.get(queue, url));
      return true;
    }
    let note = '';
    const own = hostOptions(options.net.hosts, url.hostname);
    if (url.protocol === 'file:')
      note = ''; // nobody to ask, and nobody to be gentle with
    else if ((own.robots ?? options.net.robots) === 'obey') {
      const rules = this.#tools.rules.get(url.origin, this.#tools.clock());
      if (rules === null) return this.rules.wait(queue, url, item);
      if (!this.#permitted(queue, item, rules, own)) return false;
      note = rules.detail;
    } else note = `robots.txt was not asked: ${own.reason ?? 'as configured'}`;

    const form = this.#logins.form(url.origin);
    if (form !== null) {
      await this.#logIn(url.origin, form);
      this.#ends.set(queue.id, this.#tools.clock());
      queues.again(queue, item);
      return true;
    }
    const answer = await client.get({
      url,
      headers: this.#headers(url, item),
      accept: (head) => head.status !== 200 || item.sitemap !== undefined || this.#wants(head, url),
      keepPartial: item.retries > 0 || item.tries > 0,
      lenient: item.lenient ?? false,
    });
    const asked = !(answer.kind === 'failure' && (answer.reason === 'dns' || answer.reason === 'address-refused'));
    if (asked) this.#ends.set(queue.id, this.#tools.clock());
    if (answer.kind === 'failure') this.#failed(queue, item, answer, note);
    else {
      let kept = false;
      try {
        kept = this.#answered(queue, item, url, answer, note);
      } finally {
        if (!kept) answer.release();
      }
    }
    log.tick();
    return asked;
  }

  /** Whether a body is worth its bytes. */
  #wants(head: Head, url: URL): boolean {
    const type = mediaType(head.get('content-type'));
    return wanted(type, url.pathname) && (!this.#tools.options.index.linksOnly || leadsOn(type));
  }

  #headers(url: URL, item: Item): string[] {
    const headers = conditionsOf(item);
    const authorization = this.#logins.authorization(url);
    if (authorization !== '') headers.push('authorization', authorization);
    const cookie = this.#jar.header(url);
    if (cookie !== '') headers.push('cookie', cookie);
    return headers;
  }

  /** Sends a login form; the cookies it sets are what we come for. Wrong or not, the pages will tell. */
  async #logIn(origin: string, form: { readonly url: URL; readonly body: string }): Promise<void> {
    this.#logins.formSent(origin);
    this.#count('logins');
    const cookie = this.#jar.header(form.url);
    const answer = await this.#tools.client.get({
      url: form.url,
      method: 'POST',
      body: form.body,
      headers: ['content-type', 'application/x-www-form-urlencoded', ...(cookie === '' ? [] : ['cookie', cookie])],
      accept: () => false,
    });
    if (answer.kind === 'failure') {
      this.#tools.warn(`the login form of ${origin} could not be sent: ${answer.detail}`, origin);
      return;
    }
    this.#jar.take(form.url, answer.head.all('set-cookie'), Date.now());
    if (answer.head.status >= 400)
      this.#tools.warn(`the login form of ${origin} was answered ${answer.head.status}`, origin);
    answer.release();
  }

  /** Robots says yes, and its delay is one we wait for; else the page has its outcome. */
  #permitted(queue: Queue<Item>, item: Item, rules: Rules, own: HostOptions): boolean {
    const { net } = this.#tools.options;
    if (rules.unreachable) {
      this.end(item, without('retry', 'robots-unreachable', this.#tools.clock(), rules.detail));
      return false;
    }
    const verdict = checkRobots(rules.robots, item.url);
    if (!verdict.allowed) {
      this.end(item, without('gone', 'robots-denied', this.#tools.clock(), verdict.rule));
      return false;
    }
    const delayMs = delayOf(own.delay ?? net.delay, rules.robots.crawlDelayMs, net.maxDelay);
    if (delayMs === null) {
      const asked = `robots.txt asks for a delay of ${rules.robots.crawlDelayMs! / 1000} s, net.maxDelay allows ${net.maxDelay / 1000}`;
      this.end(item, without('retry', 'crawl-delay', this.#tools.clock(), asked));
      return false;
    }
    queue.delayMs = Math.max(queue.delayMs, delayMs);
    return true;
  }

  // --- answers

  #failed(queue: Queue<Item>, item: Item, answer: Answer & { kind: 'failure' }, note: string): void {
    const stopped = this.#tools.stopped();
    if (stopped !== null && answer.reason === 'reset') {
      this.end(item, without('skipped', stopped, this.#tools.clock(), 'its request was under way'));
      return;
    }
    if (answer.reason === 'protocol' && !item.lenient && stopped === null) {
      item.lenient = true;
      this.#tools.queues.again(queue, item);
      return;
    }
    const givenUp = this.#patience.blame(queue, answer.reason, answer, answer.detail);
    if (!givenUp && stopped === null && passing(answer.reason) && item.tries === 0) {
      item.tries++;
      this.#tools.queues.again(queue, item);
      return;
    }
    this.end(item, outcomeOf(answer, judgeFailure(answer), { detail: answer.detail || note }));
  }

  /** True when the answer is still needed, and will be released elsewhere. */
  #answered(queue: Queue<Item>, item: Item, url: URL, answer: Response, note: string): boolean {
    const { head } = answer;
    const changed = this.#jar.take(url, head.all('set-cookie'), Date.now());
    const conditional = item.etag !== '' || item.lastModified !== '';
    const redirect = redirectOf(head.status, head.get('location'), item.url);
    if (head.status === 401 && item.tries === 0 && this.#logins.challenged(url, head.all('www-authenticate'))) {
      item.tries++;
      this.#tools.queues.again(queue, item);
      return false;
    }
    if (redirect !== null) {
      queue.failures = 0;
      if (redirect.to !== null && item.tries === 0 && this.#logins.sessionLost(url.origin, redirect.to)) {
        item.tries++;
        this.#tools.queues.again(queue, item);
        return false;
      }
      this.#redirected(item, answer, redirect.to, redirect.permanent, changed);
      return false;
    }
    const verdict = judgeStatus(head.status, conditional);
    const waits = head.status === 503 && retryAfter(head.get('retry-after'), Date.now()) !== null;
    if (verdict.reason === 'http-429' || waits) {
      // Nothing against the page: it keeps its turn, the host gets its rest.
      const givenUp = this.#patience.blame(queue, verdict.reason, answer, `status ${head.status}`);
      if (!givenUp && this.#tools.stopped() === null) this.#tools.queues.again(queue, item);
      else this.end(item, outcomeOf(answer, { kind: 'retry', reason: verdict.reason }));
      return false;
    }
    if (hostFailure(verdict.reason)) this.#patience.blame(queue, verdict.reason, answer, `status ${head.status}`);
    else queue.failures = 0;
    const odd = head.status === 206 || (head.status === 304 && !conditional);
    if (odd && item.tries === 0 && this.#tools.stopped() === null) {
      item.tries++; // asked again without any condition, past caches
      this.#tools.queues.again(queue, item);
      return false;
    }
    // It has not changed, and asks not to be indexed now: only its whole answer can say so in the segment.
    const takenBack = verdict.kind === 'not-modified' && !item.noindex && item.tries === 0 && this.#forbidsIndex(head);
    if (takenBack && this.#tools.stopped() === null) {
      this.#tools.queues.again(queue, { ...item, etag: '', lastModified: '', tries: 1 });
      return false;
    }
    if (verdict.kind === 'success') return this.#reading.read(item, answer, note);
    if (verdict.kind === 'not-modified')
      this.#tools.log.notModified(captured(item.url, answer, ''), askedOf(item, this.#tools.options.net));
    const detail = head.status === 206 ? 'partial content, though the whole was asked for' : answer.problem || note;
    const kept =
      verdict.kind === 'not-modified'
        ? { etag: head.get('etag') || item.etag, lastModified: head.get('last-modified') || item.lastModified }
        : {};
    // What was not changed is known as it was before: a page of which only the links are, stays one.
    const reason = verdict.kind === 'not-modified' && item.textless ? 'links-only' : verdict.reason;
    this.end(item, outcomeOf(answer, { kind: verdict.kind, reason }, { detail, ...kept }));
    return false;
  }

  #forbidsIndex(head: Head): boolean {
    const { agent = '' } = parseSettings(this.#tools.options);
    return robotsFlags(new Map(), parserHeaders(head), agent, false).noindex;
  }

  #redirected(item: Item, answer: Response, to: string | null, permanent: boolean, cookie: boolean): void {
    const kind = permanent ? 'redirect-permanent' : 'redirect-temporary';
    const outcome = (reason: Reason, target: string, detail = ''): Outcome =>
      outcomeOf(answer, { kind, reason }, { target, detail });
    if (to === null || leadsInside(item.url, to)) {
      this.end(item, outcome('redirect-invalid', '', answer.head.get('location').slice(0, 200)));
      return;
    }
    const admitted = this.#tools.admitRedirect(to);
    if (admitted.url === null) {
      const why = `${admitted.reason}${admitted.rule ? ` (${admitted.rule})` : ''}`;
      this.end(item, outcome('redirect-rejected', '', `${to.slice(0, 500)}: ${why}`));
      return;
    }
    const target = admitted.url;
    this.#watchLogin(target);
    const { redirects } = this.#tools.options.net;
    const hops: Hop[] = [...item.hops, { url: item.url, cookie, outcome: null }];
    const before = hops.findIndex((hop) => hop.url === target);
    // Back to an address of the chain is a loop, unless a cookie set since may change its answer.
    if (before >= 0 && !hops.slice(before).some((hop) => hop.cookie)) {
      this.end(item, outcome('redirect-loop', '', target));
      return;
    }
    const reason: Reason = permanent ? 'redirected-permanent' : 'redirected-temporary';
    if (redirects === 0 || this.#tools.stopped() !== null) this.end(item, outcome(reason, target));
    else if (hops.length > redirects) this.end(item, outcome('too-many-redirects', before >= 0 ? '' : target));
    else {
      hops[hops.length - 1] = { url: item.url, cookie, outcome: outcome(reason, target) };
      const own = target === item.url;
      const validators = own ? {} : { etag: '', lastModified: '', retries: 0 };
      this.#tools.follow({ ...item, ...validators, url: target, hops, tries: 0 });
    }
  }

  /** Many pages that lead to one login page are no redirects of a site, but a login that is missing. */
  #watchLogin(target: string): void {
    if (!/log-?in|sign-?in|\bsso\b|\bauth/i.test(target)) return;
    const plain = target.split('?')[0]!;
    const count = (this.#towardsLogin.get(plain) ?? 0) + 1;
    if (this.#towardsLogin.size < 1000 || count > 1) this.#towardsLogin.set(plain, count);
    if (count === LOGIN_SUSPECTED)
      this.#tools.warn(`${count} pages and more lead to ${plain}: is a login missing? See net.login`, plain);
  }

  // --- records and figures

  /** The outcome of a page, and of the redirects that led to it. */
  end(item: Item, outcome: Outcome): void {
    if (item.rulesOf) {
      const { reason, detail } = outcome;
      this.#tools.tellRules(item.rulesOf, item.url, { answered: false, reason, detail });
      return;
    }
    this.flush(item);
    this.record(item.url, outcome);
  }

  /** Records the redirects that led to a page; of an address that was asked twice only the last answer counts. */
  flush(item: Item): void {
    for (const [i, hop] of item.hops.entries()) {
      const last = hop.url !== item.url && !item.hops.some((other, j) => j > i && other.url === hop.url);
      if (last && hop.outcome !== null) this.record(hop.url, hop.outcome);
    }
  }

  record(url: string, outcome: Outcome): void {
    this.#tools.log.outcome(url, outcome);
    countOutcome(outcome, this.#counting);
    this.#pages.push([url, outcome.reason, outcome.httpStatus]);
  }

  #count(name: string, by = 1): void {
    this.#counters.set(name, (this.#counters.get(name) ?? 0) + by);
  }

  counters(): Record<string, number> {
    return Object.fromEntries(this.#counters);
  }

  counter(name: string): number {
    return this.#counters.get(name) ?? 0;
  }

  /** The pages with an outcome since the last call. */
  takePages(): readonly (readonly [string, Reason, number])[] {
    const pages = this.#pages;
    this.#pages = [];
    return pages;
  }

  ends(): Record<string, number> {
    return Object.fromEntries(this.#ends);
  }
}
