/** What a page is to Nutch and to us: the same facts in other places. */
import type { Outcome, OutcomeKind } from '../../page/outcome.ts';
import { outcomeCode } from '../../page/outcome.ts';
import type { Reason } from '../../page/reason.ts';
import { newState, type PageState } from '../../page/state.ts';
import { type Status, statusCode } from '../../page/status.ts';
import { type Datum, type MapValue, PROTOCOL_STATUS, type Writable } from './writables.ts';

const statuses = new Map<number, Status>(Object.entries(statusCode).map(([name, code]) => [code, name as Status]));
const kinds = new Map<number, OutcomeKind>(
  Object.entries(outcomeCode).map(([name, code]) => [code, name as OutcomeKind]),
);

/** Codes of Nutch's ProtocolStatus, and the reason that each is to us. */
const protocolReasons: Readonly<Record<number, Reason>> = {
  1: 'ok',
  2: 'http-other',
  10: 'scheme-refused',
  11: 'http-410',
  12: 'redirected-permanent',
  13: 'redirected-temporary',
  14: 'http-404',
  15: 'http-5xx',
  16: 'http-other',
  17: 'http-403',
  18: 'robots-denied',
  19: 'too-many-redirects',
  21: 'not-modified',
};
const protocolCodes: Readonly<Partial<Record<Reason, number>>> = {
  ok: 1,
  'http-410': 11,
  'redirected-permanent': 12,
  'redirected-temporary': 13,
  'http-404': 14,
  'http-5xx': 15,
  'http-403': 17,
  'http-401': 17,
  'robots-denied': 18,
  'too-many-redirects': 19,
  'not-modified': 21,
};

/** Names of metadata that are Nutch's own and have a place of their own with us. */
const own = new Set([
  '_ngt_',
  '_pst_',
  '_rs_',
  '_repr_',
  '_depth_',
  '_maxdepth_',
  '_orphan_',
  'fixedInterval',
  'Content-Type',
  'nutch.protocol.code',
]);

class Meta {
  private readonly values = new Map<string, Writable>();
  constructor(map: MapValue | null) {
    for (const [key, value] of map?.entries ?? []) if (key.kind === 'Text') this.values.set(key.value, value);
  }
  number(name: string): number | undefined {
    const value = this.values.get(name);
    if (value && 'value' in value && typeof value.value === 'number') return value.value;
    return value?.kind === 'Text' && value.value !== '' && Number.isFinite(Number(value.value))
      ? Number(value.value)
      : undefined;
  }
  text(name: string): string {
    const value = this.values.get(name);
    return value?.kind === 'Text' ? value.value : '';
  }
  protocol(): { code: number; args: readonly (string | null)[] | null } | undefined {
    const value = this.values.get('_pst_');
    return value?.kind === 'ProtocolStatus' ? value.value : undefined;
  }
  /** What people put there: texts under names that are not Nutch's own. */
  others(): Map<string, string> {
    const others = new Map<string, string>();
    for (const [name, value] of this.values) if (!own.has(name) && value.kind === 'Text') others.set(name, value.value);
    return others;
  }
}

const statusesOf = (code: number, httpStatus: number): Reason => {
  const reason = protocolReasons[code] ?? 'http-other';
  if (reason !== 'http-other') return reason;
  return httpStatus >= 500 ? 'http-5xx' : httpStatus === 429 ? 'http-429' : httpStatus >= 400 ? 'http-4xx' : reason;
};

/** Null for a datum that belongs into no crawldb. */
export function stateOf(datum: Datum): PageState | null {
  const status = statuses.get(datum.status);
  if (!status) return null;
  const meta = new Meta(datum.metadata);
  const protocol = meta.protocol();
  const httpStatus = meta.number('nutch.protocol.code') ?? 0;
  const tried = status !== 'unfetched';
  return newState(datum.fetchTime, datum.interval, {
    status,
    // Nutch keeps one time: the last fetch is what lies an interval before the next.
    fetched: tried ? Math.max(0, datum.fetchTime - datum.interval * 1000) : 0,
    fixedInterval: Math.round(meta.number('fixedInterval') ?? 0),
    retries: Math.max(0, datum.retries),
    score: datum.score,
    modified: Math.max(0, datum.modifiedTime),
    signature: datum.signature && new Uint8Array(datum.signature),
    depth: Math.max(0, (meta.number('_depth_') ?? 1) - 1),
    reason: protocol ? statusesOf(protocol.code, httpStatus) : 'none',
    httpStatus,
    target: status.startsWith('redirect') ? (protocol?.args?.[0] ?? '') : '',
    meta: meta.others(),
  });
}

const text = (value: string): Writable => ({ kind: 'Text', value });

export function datumOf(state: PageState): Datum {
  const entries: [Writable, Writable][] = [];
  const code = protocolCodes[state.reason];
  if (code !== undefined)
    entries.push([
      text('_pst_'),
      { kind: 'ProtocolStatus', value: { code, lastModified: 0, args: state.target ? [state.target] : null } },
    ]);
  if (state.httpStatus > 0) entries.push([text('nutch.protocol.code'), text(String(state.httpStatus))]);
  if (state.fixedInterval > 0)
    entries.push([text('fixedInterval'), { kind: 'FloatWritable', value: state.fixedInterval }]);
  if (state.depth > 0) entries.push([text('_depth_'), { kind: 'IntWritable', value: state.depth + 1 }]);
  if (state.lease) entries.push([text('_ngt_'), { kind: 'LongWritable', value: state.lease.expires }]);
  for (const [name, value] of state.meta) entries.push([text(name), text(value)]);
  return {
    status: statusCode[state.status],
    fetchTime: state.due,
    retries: state.retries,
    interval: state.interval,
    score: state.score,
    modifiedTime: state.modified,
    signature: state.signature && Buffer.from(state.signature),
    metadata: entries.length > 0 ? { classes: code === undefined ? [] : [PROTOCOL_STATUS], entries } : null,
  };
}

/** Null for a datum that is no outcome: a link, a signature. */
export function outcomeOf(datum: Datum): Outcome | null {
  const kind = kinds.get(datum.status);
  if (!kind) return null;
  const meta = new Meta(datum.metadata);
  const protocol = meta.protocol();
  const httpStatus = meta.number('nutch.protocol.code') ?? (kind === 'success' ? 200 : 0);
  return {
    kind,
    reason: kind === 'success' ? 'ok' : statusesOf(protocol?.code ?? 2, httpStatus),
    fetched: datum.fetchTime,
    httpStatus,
    responseMs: Math.max(0, meta.number('_rs_') ?? 0),
    bytes: 0,
    truncated: false,
    contentType: meta.text('Content-Type'),
    etag: '',
    lastModified: datum.modifiedTime > 0 ? new Date(datum.modifiedTime).toUTCString() : '',
    target: kind.startsWith('redirect') ? (protocol?.args?.[0] ?? '') : '',
    signature: datum.signature && new Uint8Array(datum.signature),
    ip: '',
    detail: protocol?.args?.filter((arg) => arg !== null).join(' ') ?? '',
  };
}

export function fetchDatumOf(outcome: Outcome, interval: number): Datum {
  const code = protocolCodes[outcome.reason] ?? (outcome.kind === 'retry' ? 16 : 2);
  const entries: [Writable, Writable][] = [
    [
      text('_pst_'),
      { kind: 'ProtocolStatus', value: { code, lastModified: 0, args: outcome.target ? [outcome.target] : null } },
    ],
    [text('_rs_'), { kind: 'IntWritable', value: outcome.responseMs }],
  ];
  if (outcome.contentType) entries.push([text('Content-Type'), text(outcome.contentType)]);
  if (outcome.httpStatus > 0) entries.push([text('nutch.protocol.code'), text(String(outcome.httpStatus))]);
  const modified = Date.parse(outcome.lastModified);
  return {
    status: outcomeCode[outcome.kind],
    fetchTime: outcome.fetched,
    retries: 0,
    interval,
    score: 0,
    modifiedTime: Number.isNaN(modified) ? 0 : modified,
    signature: outcome.signature && Buffer.from(outcome.signature),
    metadata: { classes: [PROTOCOL_STATUS], entries },
  };
}
