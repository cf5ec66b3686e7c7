import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * A certificate authority of our own, with certificates good and bad for 127.0.0.1; made by openssl, null where there is
 * none. All PEM texts.
 */
export interface Authority {
  readonly ca: string;
  /** The path of `ca`. */
  readonly caFile: string;
  readonly good: Pair;
  readonly expired: Pair;
  /** For another name. */
  readonly wrongHost: Pair;
  readonly selfSigned: Pair;
  /** Signed by an intermediate that the server does not send. */
  readonly incomplete: Pair;
  readonly client: Pair & { readonly certFile: string; readonly keyFile: string };
  remove(): void;
}
export interface Pair {
  readonly cert: string;
  readonly key: string;
}

export function makeAuthority(): Authority | null {
  try {
    execFileSync('openssl', ['version'], { stdio: 'ignore' });
  } catch {
    return null; // not installed
  }
  const dir = mkdtempSync(join(tmpdir(), 'nuthatch-ca-'));
  const at = (name: string): string => join(dir, name);
  const openssl = (...args: string[]): void => {
    execFileSync('openssl', args, { cwd: dir, stdio: 'ignore' });
  };
  writeFileSync(
    at('ca.cnf'),
    `[ca]\ndefault_ca=own\n[own]\ndatabase=${at('index.txt')}\nserial=${at('serial')}\nnew_certs_dir=${dir}\n` +
      'default_md=sha256\npolicy=any\nunique_subject=no\ncopy_extensions=copy\n[any]\ncommonName=supplied\n' +
      '[req]\ndistinguished_name=dn\n[dn]\n[authority]\nbasicConstraints=critical,CA:TRUE\n',
  );
  writeFileSync(at('index.txt'), '');
  writeFileSync(at('serial'), '1000');
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const request = (name: string, host: string): void =>
    openssl(
      'req',
      ...curve,
      '-keyout',
      `${name}.key`,
      '-out',
      `${name}.csr`,
      '-subj',
      `/CN=${name}`,
      '-addext',
      host,
      '-config',
      'ca.cnf',
    );
  const sign = (name: string, by: string, from: string, to: string, more: readonly string[] = []): void =>
    openssl(
      'ca',
      '-batch',
      '-config',
      'ca.cnf',
      '-cert',
      `${by}.pem`,
      '-keyfile',
      `${by}.key`,
      '-in',
      `${name}.csr`,
      '-out',
      `${name}.pem`,
      '-notext',
      '-startdate',
      from,
      '-enddate',
      to,
      ...more,
    );
  const pair = (name: string): Pair => ({
    cert: readFileSync(at(`${name}.pem`), 'utf8'),
    key: readFileSync(at(`${name}.key`), 'utf8'),
  });
  const [past, soon, far] = ['20200101000000Z', '20200102000000Z', '20990101000000Z'] as const;
  const loopback = 'subjectAltName=IP:127.0.0.1';

  openssl(
    'req',
    '-x509',
    ...curve,
    '-keyout',
    'ca.key',
    '-out',
    'ca.pem',
    '-subj',
    '/CN=Test Authority',
    '-days',
    '3650',
    '-config',
    'ca.cnf',
    '-extensions',
    'authority',
  );
  openssl(
    'req',
    '-x509',
    ...curve,
    '-keyout',
    'self.key',
    '-out',
    'self.pem',
    '-subj',
    '/CN=self',
    '-addext',
    loopback,
    '-days',
    '3650',
    '-config',
    'ca.cnf',
  );
  request('good', loopback);
  sign('good', 'ca', past, far);
  request('expired', loopback);
  sign('expired', 'ca', past, soon);
  request('wrong', 'subjectAltName=DNS:other.example');
  sign('wrong', 'ca', past, far);
  request('client', loopback);
  sign('client', 'ca', past, far);
  request('middle', 'basicConstraints=critical,CA:TRUE');
  sign('middle', 'ca', past, far, ['-extensions', 'authority']);
  request('incomplete', loopback);
  sign('incomplete', 'middle', past, far);
  return {
    ca: readFileSync(at('ca.pem'), 'utf8'),
    caFile: at('ca.pem'),
    good: pair('good'),
    expired: pair('expired'),
    wrongHost: pair('wrong'),
    selfSigned: pair('self'),
    incomplete: pair('incomplete'),
    client: { ...pair('client'), certFile: at('client.pem'), keyFile: at('client.key') },
    remove: () => rmSync(dir, { recursive: true, force: true }),
  };
}
