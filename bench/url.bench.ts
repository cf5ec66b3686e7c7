/** What does an address cost, from the page to the gate: resolved, normalised, in scope, no trap? */
import { defaults } from '../src/options.ts';
import { createAdmit } from '../src/url/admit.ts';
import { keyOf } from '../src/url/key.ts';
import { normalizeUrl } from '../src/url/normalize.ts';
import { createResolve } from '../src/url/resolve.ts';
import { random, word, zipf } from './corpus.ts';
import { question } from './question.ts';

const ask = question('url');
const base = 'https://docs.example.org/manual/guide/index.html';

/** Addresses as they stand in pages: relative and absolute, with fragments, queries, ports and spaces; most come again. */
const hrefs = ask.memory('20,000 addresses as written', () => {
  const rnd = random(1);
  const rank = zipf(rnd, 6000);
  return Array.from({ length: 20_000 }, () => {
    const name = `${word(rank())}.html`;
    const kind = rnd();
    if (kind < 0.35) return name;
    if (kind < 0.5) return `../${word(rank())}/${name}`;
    if (kind < 0.65) return `/${word(rank())}/${name}`;
    if (kind < 0.75) return `#${word(rank())}`;
    if (kind < 0.85) return `https://docs.example.org/${word(rank())}/${name}#top`;
    if (kind < 0.92) return `http://${word(rank() % 50)}.example.com:80/${name}?b=2&a=${rank()}`;
    return `${name}?q=${word(rank())} ${word(rank())}&PHPSESSID=${rank()}`;
  });
});
const resolve = createResolve(base);
const resolved = hrefs.map(resolve);
const admit = createAdmit(defaults.scope, [base]);
const normal = hrefs.map((href) => normalizeUrl(href, base)).filter((url): url is string => url !== null);
ask.figure('in the scope of the host', {
  admitted: hrefs.filter((href) => admit(href, base).url !== null).length,
  of: hrefs.length,
});

await ask.compare(
  {
    'new URL(href, base).href': () => {
      let length = 0;
      for (const href of hrefs) length += new URL(href, base).href.length;
      return length;
    },
    'createResolve(base)(href)': () => {
      let length = 0;
      for (const href of hrefs) length += resolve(href).length;
      return length;
    },
    'admit(what it answers)': () => {
      let accepted = 0;
      for (const url of resolved) if (admit(url).url !== null) accepted++;
      return accepted;
    },
    'normalizeUrl(href, base)': () => {
      let length = 0;
      for (const href of hrefs) length += normalizeUrl(href, base)?.length ?? 0;
      return length;
    },
    'admit(href, base)': () => {
      let accepted = 0;
      for (const href of hrefs) if (admit(href, base).url !== null) accepted++;
      return accepted;
    },
    'keyOf(url)': () => {
      let length = 0;
      for (const url of normal) length += keyOf(url).length;
      return length;
    },
  },
  { amount: hrefs.length, unit: 'addresses' },
);
