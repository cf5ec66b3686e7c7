/** The other side of apart.ts: serves, and answers one question at a time over the channel of the parent. */
import type { Question, Reply } from './apart.ts';
import type { LabServer } from './server.ts';
import { serverOf } from './spec.ts';

let server: LabServer | undefined;

async function answer(question: Question): Promise<Reply> {
  if (question.ask === 'listen') {
    server = serverOf(question.spec);
    return { seeds: await server.listen() };
  }
  if (!server) return { error: 'nothing is served yet' };
  if (question.ask === 'counts') return { counts: server.counts() };
  server.setEpoch(question.epoch);
  return {};
}

process.on('message', (question: Question) => {
  answer(question).then(
    (reply) => process.send?.(reply),
    (error: Error) => process.send?.({ error: error.message }),
  );
});
process.on('disconnect', () => void server?.close());
process.on('SIGINT', () => undefined); // Ctrl-C goes to the whole group; the parent decides when this one ends
