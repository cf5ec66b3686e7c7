import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Serving, serve } from '../../src/serve/server.ts';
import { Browser, findChromium } from '../kit/browser.ts';
import { FakeSource, someHits } from '../kit/fake-source.ts';

/** `NUTHATCH_SHOTS=folder` keeps pictures of the page to look at. */
const shots = process.env.NUTHATCH_SHOTS;

const Look = suite('search page in a browser');
const path = findChromium();
if (path === null) {
  Look('is not looked at, for there is no Chromium', () => {
    console.log('skipped: the search page in a browser; Chromium is at none of its usual places, nor at CHROME_PATH');
  });
} else {
  const source = new FakeSource();
  let browser: Browser;
  let server: Serving;
  Look.before(async () => {
    source.hits = someHits(43);
    source.more = {
      facets: {
        site: [
          { value: 'example.org', count: 40 },
          { value: 'docs.example.org', count: 3 },
        ],
        lang: [
          { value: 'en', count: 22 },
          { value: 'de', count: 21 },
        ],
      },
    };
    browser = await Browser.start(path);
    server = await serve(source, { port: 0, title: 'nuthatch', rate: null });
  });
  Look.after(async () => {
    await browser.close();
    await server.close(0);
  });

  const WIDE = 'document.documentElement.scrollWidth > document.documentElement.clientWidth';
  for (const [name, view, address] of [
    ['front', {}, ''],
    ['desktop', {}, '?q=red+squirrel'],
    ['mobile', { width: 360, height: 740 }, '?q=red+squirrel'],
    ['mobile-dark', { width: 360, height: 740, dark: true }, '?q=red+squirrel&page=2&f=lang:en'],
    ['dark', { dark: true }, '?q=red+squirrel'],
    ['why', {}, 'why?url=https://example.org/private/'],
    ['without-scripts', { scripts: false }, '?q=red+squirrel'],
  ] as const)
    Look(`shows without complaint and without scrolling sideways: ${name}`, async () => {
      const page = await browser.page(view);
      await page.goto(server.address + address);
      assert.equal(page.complaints, []);
      assert.is(await page.value(WIDE), false);
      const strange = page.requests.filter((url) => !url.startsWith(server.address) && !url.startsWith('data:'));
      assert.equal(strange, []);
      if (shots) writeFileSync(join(shots, `${name}.png`), await page.screenshot());
    });

  Look(
    'facets stand open beside the results, folded above them on a narrow screen, and nothing moves while it loads',
    async () => {
      for (const [view, shown] of [
        [{}, true],
        [{ scripts: false }, true],
        [{ width: 375, height: 740 }, false],
      ] as const) {
        const page = await browser.page(view);
        await page.goto(`${server.address}?q=red+squirrel`);
        assert.is(
          await page.value("document.querySelector('.facets h3').checkVisibility({ contentVisibilityAuto: true })"),
          shown,
        );
        if ('scripts' in view) continue; // nothing there can move, or measure
        const moved = await page.value<number>(`new Promise((done) => {
        let sum = 0;
        new PerformanceObserver((list) => { for (const entry of list.getEntries()) sum += entry.value; })
          .observe({ type: 'layout-shift', buffered: true });
        requestAnimationFrame(() => requestAnimationFrame(() => done(sum)));
      })`);
        assert.is(moved, 0);
      }
    },
  );

  Look('the edge of the search field can be seen (3 to 1), and stays round when it has the focus', async () => {
    for (const dark of [false, true]) {
      const page = await browser.page({ dark });
      await page.goto(`${server.address}?q=red+squirrel`);
      const ratio = await page.value<number>(`(() => {
        const lum = (c) => c.match(/[\\d.]+/g).slice(0, 3).map((v) => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
          .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
        const [a, b] = [getComputedStyle(q).borderTopColor, getComputedStyle(document.body).backgroundColor].map(lum).sort((x, y) => y - x);
        return (a + 0.05) / (b + 0.05);
      })()`);
      assert.ok(ratio >= 3, `${dark ? 'dark' : 'light'}: ${ratio.toFixed(2)}`);
      const round = 'getComputedStyle(q).borderTopLeftRadius';
      const before = await page.value(round);
      await page.press('/');
      assert.is(await page.value(round), before);
    }
  });

  Look('every text is dark enough on its ground, in both colour schemes (4.5 to 1)', async () => {
    for (const dark of [false, true]) {
      const page = await browser.page({ dark });
      await page.goto(`${server.address}?q=red+squirrel`);
      const worst = await page.value<{ ratio: number; text: string }>(`(() => {
        const rgb = (c) => c.match(/[\\d.]+/g).map(Number);
        const lum = ([r, g, b]) => [r, g, b].map((v) => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
          .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
        const ground = (e) => { for (; e; e = e.parentElement) { const c = rgb(getComputedStyle(e).backgroundColor); if (c.length < 4 || c[3] > 0) return c; } return [255, 255, 255]; };
        let worst = { ratio: 99, text: '' };
        for (const e of document.querySelectorAll('body *')) {
          if (![...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim()) || e.closest('.unseen')) continue;
          const [a, b] = [lum(rgb(getComputedStyle(e).color)), lum(ground(e))].sort((x, y) => y - x);
          const ratio = (a + 0.05) / (b + 0.05);
          if (ratio < worst.ratio) worst = { ratio, text: e.tagName + ': ' + e.textContent.slice(0, 40) };
        }
        return worst;
      })()`);
      assert.ok(worst.ratio >= 4.5, `${dark ? 'dark' : 'light'}: ${worst.ratio.toFixed(2)} ${worst.text}`);
    }
  });

  Look('type-ahead follows the keys, and says to a screen reader what is chosen', async () => {
    const page = await browser.page();
    await page.goto(server.address);
    assert.is(await page.value('document.activeElement.id'), 'q');
    await page.type('squirrel 3');
    await page.until("q.getAttribute('aria-expanded') === 'true'");
    const options = await page.value<string[]>(
      "[...document.querySelectorAll('[role=option]')].map((o) => o.textContent)",
    );
    assert.is(options[0], 'Squirrel 3');
    if (shots) writeFileSync(join(shots, 'suggest.png'), await page.screenshot());
    await page.press('ArrowDown');
    await page.press('ArrowDown');
    const chosen = await page.value<string>(
      "document.getElementById(q.getAttribute('aria-activedescendant')).textContent",
    );
    assert.is(chosen, options[1]);
    assert.is(await page.value('q.value'), options[1]);
    assert.is(await page.value("document.querySelectorAll('[aria-selected=true]').length"), 1);
    await page.press('Escape');
    assert.is(await page.value("q.getAttribute('aria-expanded')"), 'false');
    assert.is(await page.value('q.value'), 'squirrel 3', 'Escape gives back what was typed');
    await page.follow(() => page.press('Enter'));
    assert.is(await page.value('location.search'), '?q=squirrel+3');
    assert.equal(page.complaints, []);
  });

  Look('a suggestion that is pressed is searched for', async () => {
    const page = await browser.page();
    await page.goto(server.address);
    await page.type('squirrel 2');
    await page.until("document.querySelectorAll('[role=option]').length > 1");
    const { x, y } = await page.value<{ x: number; y: number }>(
      "(({ x, y, width, height }) => ({ x: x + width / 2, y: y + height / 2 }))(document.querySelectorAll('[role=option]')[1].getBoundingClientRect())",
    );
    const mouse = { x, y, button: 'left', clickCount: 1 };
    await page.send('Input.dispatchMouseEvent', { type: 'mousePressed', ...mouse });
    await page.follow(() => page.send('Input.dispatchMouseEvent', { type: 'mouseReleased', ...mouse }));
    assert.is(await page.value('q.value'), 'Squirrel 20');
  });

  Look('keys alone lead from the field through the results and back', async () => {
    const page = await browser.page();
    await page.goto(`${server.address}?q=squirrel`);
    await page.press('/');
    assert.is(await page.value('document.activeElement.id'), 'q');
    await page.press('ArrowDown');
    assert.is(await page.value('document.activeElement.textContent'), 'Squirrel 1');
    await page.press('ArrowDown');
    assert.is(await page.value('document.activeElement.textContent'), 'Squirrel 2');
    await page.press('ArrowUp');
    await page.press('ArrowUp');
    assert.is(await page.value('document.activeElement.id'), 'q');
  });

  Look(
    'arrows lead from a page that has just loaded to its first result, and through results that are files',
    async () => {
      const before = source.hits;
      const page = await browser.page();
      await page.goto(`${server.address}?q=squirrel`);
      assert.is(await page.value('document.activeElement === document.body'), true);
      await page.press('ArrowUp');
      assert.is(await page.value('document.activeElement === document.body'), true);
      await page.press('ArrowDown');
      assert.is(await page.value('document.activeElement.textContent'), 'Squirrel 1');
      await page.press('ArrowUp');
      assert.is(await page.value('document.activeElement.id'), 'q');
      source.hits = before.map((hit) => ({ ...hit, url: `file:///srv/docs/${hit.id}.html` }));
      try {
        await page.goto(`${server.address}?q=squirrel`);
        const place = "[...document.querySelectorAll('.hit')].indexOf(document.activeElement.closest('.hit'))";
        for (const at of [0, 1, 2]) {
          await page.press('ArrowDown');
          assert.is(await page.value(place), at);
        }
      } finally {
        source.hits = before;
      }
    },
  );

  Look('a hostile answer runs no script', async () => {
    const before = source.hits;
    const evil = '"><img src=x onerror="document.title=666"><script>document.title=666</script>';
    source.hits = [{ id: '1', url: 'javascript:document.title=666', title: evil, score: 1, snippet: evil }];
    try {
      const page = await browser.page();
      await page.goto(`${server.address}?q=${encodeURIComponent(evil)}`);
      assert.not.match(await page.value<string>('document.title.slice(0, 3)'), '666');
      assert.is(await page.value("document.querySelectorAll('img, main script').length"), 0);
      await page.press('/');
      await page.send('Input.insertText', { text: '"><i' });
      await page.until("document.querySelectorAll('[role=option]').length === 1");
      assert.is(await page.value("document.querySelectorAll('[role=option] img').length"), 0);
      assert.equal(page.complaints, []);
    } finally {
      source.hits = before;
    }
  });
}
Look.run();
