import type { Routes } from './web.ts';

const WORDS =
  'red squirrel oak nest winter acorn forest tree leaf branch river stone bird song meadow cloud rain wind sun moon';
const words = WORDS.split(' ');

/** A site of `count` pages of `length` words under `/`, each reached over links; the same text for the same number. */
export function pagesSite(count: number, salt = 0, length = 60): Routes {
  const routes: Record<string, string> = {};
  for (let n = 0; n < count; n++) routes[n === 0 ? '/' : `/p/${n}`] = pageOf(n, count, salt, length);
  return routes;
}

export const titleOf = (n: number): string => `Page${n} ${words[n % 20]} ${words[(n * 3) % 20]}`;

function pageOf(n: number, count: number, salt: number, length: number): string {
  let state = (n * 7919 + salt * 104_729 + 1) >>> 0;
  const word = (): string => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return words[(state >>> 8) % words.length]!;
  };
  const text = Array.from({ length }, word).join(' ');
  // A tree of four children a page: every page is reached from '/'.
  const links = [1, 2, 3, 4]
    .map((k) => n * 4 + k)
    .filter((to) => to < count)
    .map((to) => `<a href="/p/${to}">to page${to}</a>`);
  return `<!doctype html><html lang="en"><head><title>${titleOf(n)}</title></head><body><nav>${links.join(' ')}</nav>
<main><h1>About page${n}</h1><p>number${n} ${text}.</p></main></body></html>`;
}
