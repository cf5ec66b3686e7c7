import { readFileSync, writeFileSync } from 'node:fs';
import { env } from 'node:process';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

/**
 * What leaves the house is a promise: a name that goes or comes is seen here, in test/house/doors.json, and told in
 * CHANGELOG.md. The command in RENEW writes the list anew.
 */
const LIST = 'test/house/doors.json';
const RENEW = 'UPDATE_DOORS=1 node --import tsx test/house/doors.test.ts';
const doors = {
  nuthatch: 'src/index.ts',
  'nuthatch/search': 'index/index.ts',
  'nuthatch/http': 'src/serve/handler.ts',
};

/** Names that a file exports, types with a `type ` in front. */
function namesAt(file: string): string[] {
  const source = readFileSync(file, 'utf8');
  const names: string[] = [];
  for (const [, kind, list] of source.matchAll(/^export (type )?\{([^}]*)\}/gms))
    for (const name of list!.split(',').map((one) => one.trim())) {
      const shown = name.replace(/^(type )?.* as /, '$1');
      if (shown) names.push(kind && !shown.startsWith('type ') ? `type ${shown}` : shown);
    }
  for (const [, , kind, name] of source.matchAll(/^export (async )?(function|class|const|interface|type) (\w+)/gm))
    names.push(kind === 'interface' || kind === 'type' ? `type ${name}` : name!);
  return names.sort();
}

const Doors = suite('doors');
const now = Object.fromEntries(Object.entries(doors).map(([door, file]) => [door, namesAt(file)]));
if (env.UPDATE_DOORS) writeFileSync(LIST, `${JSON.stringify(now, null, 2)}\n`);
const promised = JSON.parse(readFileSync(LIST, 'utf8'));

for (const [door, names] of Object.entries(now))
  Doors(`the names that leave by ${door} are those that the list promises`, () => {
    assert.ok(names.length > 0);
    assert.equal(
      names,
      promised[door],
      `the names have changed: if that is meant, tell it in CHANGELOG.md and run ${RENEW}`,
    );
  });

Doors('nothing leaves by a star', () => {
  for (const file of Object.values(doors)) assert.not.match(readFileSync(file, 'utf8'), /export \*/);
});

Doors('every value at the doors of the crawler and of the search is there when imported', async () => {
  for (const door of ['nuthatch', 'nuthatch/search'] as const) {
    const loaded = await import(`../../${doors[door]}`);
    for (const name of promised[door]) if (!name.startsWith('type ')) assert.ok(name in loaded, `${door}: ${name}`);
  }
});

Doors.run();
