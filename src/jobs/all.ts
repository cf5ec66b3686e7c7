/** Every map/reduce job by its name, so that a thread finds the code of a task. Other parts add theirs here. */
import type { Job } from '../run/job.ts';
import { dedupDelete, dedupDigest, dedupUrl } from './dedup.ts';
import { generateJob } from './generate.ts';
import { hostsJob } from './hosts.ts';
import { indexJoin } from './index-join.ts';
import { injectJob } from './inject.ts';
import { invertJob } from './invertlinks.ts';
import { rankJob } from './linkrank.ts';
import { mergeSegmentsJob } from './mergedb.ts';
import { neededJob } from './needed.ts';
import { updateJob } from './updatedb.ts';

// biome-ignore lint/suspicious/noExplicitAny: a job's splits and arguments are its own; the runner passes them on unread.
const list: readonly Job<any, any>[] = [
  injectJob,
  generateJob,
  updateJob,
  invertJob,
  rankJob,
  hostsJob,
  mergeSegmentsJob,
  neededJob,
  indexJoin,
  dedupUrl,
  dedupDigest,
  dedupDelete,
];

export const jobs: Readonly<Record<string, Job>> = Object.fromEntries(list.map((job) => [job.name, job]));
