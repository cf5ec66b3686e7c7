/** Is the lab cheap enough not to be the bottleneck? What a page costs to make, and to serve over a socket. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { settleWeb } from '../src/lab/options.ts';
import { LabServer } from '../src/lab/server.ts';
import { SyntheticSite } from '../src/lab/synthetic.ts';
import { question } from './question.ts';

const ask = question('lab');
const settled = settleWeb({ pages: 10_000, hosts: 4 });
const server = ask.memory(
  'a web of 10,000 pages, with its server',
  () => new LabServer((port) => new SyntheticSite(settled, port)),
);
const site = server.site as SyntheticSite;
await server.listen();

const pages = Array.from({ length: 10_000 }, (_, page) => page).filter((page) => site.servable(page));
const place = pages.map((page) => {
  let host = 0;
  while (site.web.offsets[host + 1]! <= page) host++;
  return { host, path: site.web.path(host, page - site.web.offsets[host]!) };
});
let bytes = 0;
for (const { host, path } of place.slice(0, 1000)) bytes += site.answer(host, path, 0).body().length;
ask.figure('a page', { 'mean KB': bytes / 1000 / 1024 });

let at = 0;
await ask.compare(
  {
    make: () => {
      const { host, path } = place[at++ % place.length]!;
      return site.answer(host, path, 0).body();
    },
    'answer without a body (304)': () => {
      const { host, path } = place[at++ % place.length]!;
      return site.answer(host, path, 0).etag;
    },
  },
  { unit: 'pages' },
);

// One connection that asks for page after page and reads no more than it must; its own cost is in the figure.
const socket = connect(server.port, '127.0.0.1');
await once(socket, 'connect');
const paths = place.filter(({ host }) => host === 0).map(({ path }) => path);
await ask.once(
  'serve, client included',
  () =>
    new Promise<void>((resolve) => {
      let sent = 0;
      let left = 0;
      const next = () => {
        if (sent === 3000) return resolve();
        socket.write(`GET ${paths[sent++ % paths.length]} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);
      };
      socket.on('data', (chunk: Buffer) => {
        let rest = chunk.length;
        if (left === 0) {
          const end = chunk.indexOf('\r\n\r\n');
          left = end + 4 + Number(/content-length: (\d+)/i.exec(chunk.toString('latin1', 0, end))![1]);
        }
        rest = Math.min(rest, left);
        left -= rest;
        if (left === 0) next();
      });
      next();
    }),
  { amount: 3000, unit: 'pages' },
);
socket.destroy();
await server.close();
