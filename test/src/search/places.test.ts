import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { placesOf } from '../../../src/search/places.ts';

const Places = suite('where hits lead');

const links = {
  '/srv/docs': 'https://intranet.example/docs',
  'file:///srv/docs/old/': 'https://archive.example/',
  'https://build.example/': 'https://docs.example.org/v2/',
};
const placeOf = placesOf(links, ['/srv/docs', '/home/a b'], ['file:///data/notes/index.html']);

for (const [url, place] of [
  ['file:///srv/docs/one%20two.html', { link: 'https://intranet.example/docs/one%20two.html' }],
  ['file:///srv/docs/old/x.html', { link: 'https://archive.example/x.html' }],
  ['file:///srv/docsmore/x.html', {}],
  ['https://build.example/a?b=c', { link: 'https://docs.example.org/v2/a?b=c' }],
  ['https://example.org/', {}],
  ['file:///home/a%20b/c/d%20e.txt', { path: 'c/d e.txt' }],
  ['file:///data/notes/%FF.txt', { path: '%FF.txt' }],
  ['file:///elsewhere/x', {}],
] as const)
  Places(`${url}: ${JSON.stringify(place)}`, () => assert.equal(placeOf(url), place));

Places.run();
