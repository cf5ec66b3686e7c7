import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** Figures of one handler, in a registry of its own: two handlers in a process do not share state. */
export interface Metrics {
  readonly contentType: string;
  text(): Promise<string>;
  request(route: string, status: number): void;
  /** `seconds` of one search, and how many hits there were in all. */
  searched(seconds: number, total: number): void;
  limited(): void;
  documents(count: number): void;
}

/**
 * `process` adds figures of the whole process (CPU, memory, event loop), which need timers and observers: for a
 * server of its own, not for a guest in another program.
 */
export function createMetrics(process: boolean): Metrics {
  const registry = new Registry();
  const registers = [registry];
  if (process) collectDefaultMetrics({ register: registry });
  const requests = new Counter({
    name: 'nuthatch_http_requests_total',
    help: 'Requests answered, by route and status.',
    labelNames: ['route', 'status'] as const,
    registers,
  });
  const seconds = new Histogram({
    name: 'nuthatch_search_seconds',
    help: 'Time one search took, in seconds.',
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1],
    registers,
  });
  const empty = new Counter({
    name: 'nuthatch_search_without_hits_total',
    help: 'Searches that found nothing.',
    registers,
  });
  const refused = new Counter({
    name: 'nuthatch_http_rate_limited_total',
    help: 'Requests refused because a client asked too often.',
    registers,
  });
  const documents = new Gauge({ name: 'nuthatch_documents', help: 'Documents that can be found.', registers });
  return {
    contentType: registry.contentType,
    text: () => registry.metrics(),
    request: (route, status) => requests.inc({ route, status: String(status) }),
    searched: (took, total) => {
      seconds.observe(took);
      if (total === 0) empty.inc();
    },
    limited: () => refused.inc(),
    documents: (count) => documents.set(count),
  };
}
