import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';

/** Where Chromium is: CHROME_PATH, or the usual places; null when there is none, and then a test says that it is skipped. */
export const findChromium = (): string | null =>
  [process.env.CHROME_PATH, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
    (path) => path && existsSync(path),
  ) ?? null;

type Answer = {
  id?: number;
  method?: string;
  sessionId?: string;
  params?: unknown;
  result?: unknown;
  error?: { message: string };
};

/**
 * Chromium without a window, driven by the DevTools protocol over a pipe (no port is opened). A profile of its own is
 * removed at the end.
 */
export class Browser {
  readonly #child: ChildProcess;
  readonly #profile: string;
  readonly #waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  readonly #listeners = new Set<(answer: Answer) => void>();
  #last = 0;

  private constructor(path: string) {
    this.#profile = mkdtempSync(join(tmpdir(), 'nuthatch-browser-'));
    this.#child = spawn(
      path,
      [
        '--headless',
        '--no-sandbox', // a build machine runs as root, where Chromium's sandbox cannot start; it only sees loopback here
        '--disable-gpu',
        '--disable-dev-shm-usage',
        '--no-first-run',
        '--hide-scrollbars',
        '--remote-debugging-pipe',
        `--user-data-dir=${this.#profile}`,
        'about:blank',
      ],
      { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] },
    );
    let text = '';
    (this.#child.stdio[4] as Readable).setEncoding('utf8').on('data', (chunk: string) => {
      const parts = (text + chunk).split('\0');
      text = parts.pop()!;
      for (const part of parts) this.#take(JSON.parse(part));
    });
    this.#child.on('exit', () => {
      for (const { reject } of this.#waiting.values()) reject(new Error('Chromium ended'));
    });
  }

  static async start(path: string): Promise<Browser> {
    const browser = new Browser(path);
    await browser.send('Target.setDiscoverTargets', { discover: true });
    return browser;
  }

  #take(answer: Answer): void {
    const waiting = answer.id === undefined ? undefined : this.#waiting.get(answer.id);
    if (!waiting) {
      for (const listener of [...this.#listeners]) listener(answer);
      return;
    }
    this.#waiting.delete(answer.id!);
    if (answer.error) waiting.reject(new Error(answer.error.message));
    else waiting.resolve(answer.result);
  }

  send<T>(method: string, params: object = {}, sessionId?: string): Promise<T> {
    const id = ++this.#last;
    return new Promise<T>((resolve, reject) => {
      this.#waiting.set(id, { resolve: resolve as (value: unknown) => void, reject });
      (this.#child.stdio[3] as Writable).write(
        `${JSON.stringify({ id, method, params, ...(sessionId && { sessionId }) })}\0`,
      );
    });
  }

  on(listener: (answer: Answer) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** A new tab; `dark` asks for the dark colours, `scripts: false` switches JavaScript off. */
  async page(view: { width?: number; height?: number; dark?: boolean; scripts?: boolean } = {}): Promise<Page> {
    const { targetId } = await this.send<{ targetId: string }>('Target.createTarget', { url: 'about:blank' });
    const { sessionId } = await this.send<{ sessionId: string }>('Target.attachToTarget', { targetId, flatten: true });
    const page = new Page(this, sessionId);
    await page.send('Page.enable');
    await page.send('Runtime.enable');
    await page.send('Log.enable');
    await page.send('Emulation.setDeviceMetricsOverride', {
      width: view.width ?? 1200,
      height: view.height ?? 900,
      deviceScaleFactor: 1,
      mobile: (view.width ?? 1200) < 600,
    });
    await page.send('Emulation.setFocusEmulationEnabled', { enabled: true });
    if (view.dark)
      await page.send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: 'dark' }] });
    if (view.scripts === false) await page.send('Emulation.setScriptExecutionDisabled', { value: true });
    return page;
  }

  async close(): Promise<void> {
    const gone = new Promise((resolve) => this.#child.once('exit', resolve));
    await this.send('Browser.close').catch(() => this.#child.kill('SIGKILL')); // it may be gone before it answers
    await gone;
    rmSync(this.#profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

export class Page {
  readonly #browser: Browser;
  readonly #session: string;
  /** What the console and the content security policy complained of. */
  readonly complaints: string[] = [];
  /** Addresses of all requests. */
  readonly requests: string[] = [];

  constructor(browser: Browser, session: string) {
    this.#browser = browser;
    this.#session = session;
    browser.on(({ sessionId, method, params }) => {
      if (sessionId !== session) return;
      if (method === 'Log.entryAdded') this.complaints.push((params as { entry: { text: string } }).entry.text);
      if (method === 'Runtime.exceptionThrown') this.complaints.push(JSON.stringify(params));
      if (method === 'Network.requestWillBeSent')
        this.requests.push((params as { request: { url: string } }).request.url);
    });
  }

  send<T>(method: string, params: object = {}): Promise<T> {
    return this.#browser.send(method, params, this.#session);
  }

  #loaded(): Promise<void> {
    return new Promise((resolve) => {
      const off = this.#browser.on(({ sessionId, method }) => {
        if (sessionId !== this.#session || method !== 'Page.loadEventFired') return;
        off();
        resolve();
      });
    });
  }

  async goto(url: string): Promise<void> {
    await this.send('Network.enable');
    const loaded = this.#loaded();
    await this.send('Page.navigate', { url });
    await loaded;
  }

  /** Does something that leads to another page, and waits for that. */
  async follow(act: () => Promise<unknown>): Promise<void> {
    const loaded = this.#loaded();
    await act();
    await loaded;
  }

  /** Value of an expression in the page; promises are awaited. Works with scripts switched off as well. */
  async value<T>(expression: string): Promise<T> {
    const { result, exceptionDetails } = await this.send<{ result: { value: T }; exceptionDetails?: { text: string } }>(
      'Runtime.evaluate',
      { expression, awaitPromise: true, returnByValue: true },
    );
    if (exceptionDetails) throw new Error(`${exceptionDetails.text}: ${expression}`);
    return result.value;
  }

  /** Waits until an expression is true, looking again with every frame; the test runner's limit ends a wait in vain. */
  until(expression: string): Promise<boolean> {
    return this.value(
      `new Promise((done) => { const look = () => (${expression}) ? done(true) : requestAnimationFrame(look); look(); })`,
    );
  }

  type(text: string): Promise<unknown> {
    return this.send('Input.insertText', { text });
  }

  async press(key: string): Promise<void> {
    const codes: Record<string, number> = { Enter: 13, Escape: 27, ArrowUp: 38, ArrowDown: 40, Tab: 9, '/': 191 };
    const text = key === 'Enter' ? '\r' : key.length === 1 ? key : '';
    const event = { key, code: key === '/' ? 'Slash' : key, windowsVirtualKeyCode: codes[key], ...(text && { text }) };
    await this.send('Input.dispatchKeyEvent', { type: text ? 'keyDown' : 'rawKeyDown', ...event });
    await this.send('Input.dispatchKeyEvent', { type: 'keyUp', ...event });
  }

  async screenshot(): Promise<Buffer> {
    const { data } = await this.send<{ data: string }>('Page.captureScreenshot', { format: 'png' });
    return Buffer.from(data, 'base64');
  }
}
