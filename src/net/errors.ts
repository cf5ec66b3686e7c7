import type { Reason } from '../page/reason.ts';
import type { Limits, Overrun } from './limit.ts';

/** Of a deadline that was passed: why, and a fragment that says it to people. */
export function overrunReason(why: Overrun, limits: Limits): readonly [Reason, string] {
  switch (why) {
    case 'first-byte':
      return ['timeout', `no answer within ${limits.firstByteTimeout} ms`];
    case 'total':
      return ['timeout', `not complete within ${limits.timeout} ms`];
    case 'stalled':
      return ['timeout', `slower than ${limits.minRate} bytes a second`];
  }
}

const CODES: readonly (readonly [RegExp, Reason])[] = [
  [/^ADDRESS_REFUSED$/, 'address-refused'],
  [/^(?:ENOTFOUND|EAI_|ENODATA|ESERVFAIL|EREFUSED)/, 'dns'],
  [/^UND_ERR_CONNECT_TIMEOUT$/, 'connect'],
  [
    /^(?:ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ENETDOWN|EHOSTDOWN|EADDRNOTAVAIL|ETIMEDOUT|EACCES|EMFILE|ENFILE)$/,
    'connect',
  ],
  [/^(?:ECONNRESET|EPIPE|ECONNABORTED|UND_ERR_SOCKET|UND_ERR_ABORTED|UND_ERR_INFO|UND_ERR_DESTROYED)$/, 'reset'],
  [/^UND_ERR_RES_CONTENT_LENGTH_MISMATCH$/, 'reset'],
  [/^(?:HPE_|UND_ERR_HEADERS_OVERFLOW|ERR_HTTP2_|NGHTTP2_)/, 'protocol'],
  [/CERT|SELF_SIGNED|UNABLE_TO|^(?:ERR_TLS|ERR_SSL|EPROTO|CRL_|INVALID_(?:CA|PURPOSE)|PATH_LENGTH|HOSTNAME)/, 'tls'],
];

/** Of an error of the platform: why, and a fragment that says it to people. */
export function reasonOf(given: Error | null, host: string): readonly [Reason, string] {
  const inner = given instanceof AggregateError && given.errors[0] instanceof Error ? given.errors[0] : given;
  const error = inner as (Error & { code?: string }) | null;
  if (error === null) return ['reset', 'the connection ended without an answer'];
  const code = error.code ?? '';
  const reason =
    CODES.find(([pattern]) => pattern.test(code))?.[1] ?? (/parser/i.test(error.name) ? 'protocol' : 'reset');
  const message = `${error.message}${code && !error.message.includes(code) ? ` (${code})` : ''}`.slice(0, 500);
  if (reason !== 'tls') return [reason, message];
  // OpenSSL's words for an answer in plain HTTP.
  if (
    /WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST/.test(
      `${code} ${message.replaceAll(' ', '_').toUpperCase()}`,
    )
  )
    return [reason, `${host} does not speak TLS on this port; http:// may be the right scheme`];
  return [reason, `the certificate of ${host}: ${message}; net.hosts may name a ca for it, or take it as it is`];
}
