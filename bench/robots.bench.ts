/** What does robots.txt cost: to read a file, and to ask it about an address? */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkRobots, parseRobots } from '../src/net/robots.ts';
import { shared } from '../test/kit/shared.ts';
import { random, word } from './corpus.ts';
import { question } from './question.ts';

const ask = question('robots');
const rnd = random(1);
const paths = Array.from(
  { length: 1000 },
  () => `/${word(Math.floor(rnd() * 500))}/${word(Math.floor(rnd() * 9000))}?p=1`,
);

/** A file of `rules` rules, a third with stars. */
const made = (rules: number): string =>
  `User-agent: *\n${Array.from({ length: rules }, (_, i) =>
    i % 3 ? `Disallow: /${word(i)}/` : `Disallow: /*/${word(i)}*.html$`,
  ).join('\n')}\nAllow: /\n`;

for (const rules of [10, 1000]) {
  const file = Buffer.from(made(rules));
  const robots = ask.memory(`${rules} rules`, () => parseRobots(file, 'acme-bot'));
  await ask.compare(
    { [`read ${rules} rules`]: () => parseRobots(file, 'acme-bot') },
    { amount: file.length / 1e6, unit: 'MB' },
  );
  await ask.compare(
    {
      [`ask ${rules} rules`]: () => {
        let allowed = 0;
        for (const path of paths) if (checkRobots(robots, path).allowed) allowed++;
        return allowed;
      },
    },
    { amount: paths.length, unit: 'questions' },
  );
}

const folder = shared('vectors/robots/real-world');
if (!folder) console.log('  skipped: robots.txt of real sites (../shared/vectors/robots/real-world is not there)');
else {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name)));
  const bytes = files.reduce((sum, file) => sum + file.length, 0);
  await ask.compare(
    { [`read ${files.length} files of real sites`]: () => files.map((file) => parseRobots(file, 'acme-bot')) },
    { amount: bytes / 1e6, unit: 'MB' },
  );
}
