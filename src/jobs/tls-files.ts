import { readFileSync } from 'node:fs';
import { CrawlError, whyNot } from '../errors.ts';
import type { TlsSettings } from '../net/get.ts';
import type { Settled } from '../options.ts';

/** What `net.hosts` says of certificates, with its files read. @throws CrawlError 'config' naming one that cannot be read */
export function readTls(hosts: Settled['net']['hosts']): Record<string, TlsSettings> {
  const settings: Record<string, TlsSettings> = {};
  for (const [host, own] of Object.entries(hosts)) {
    const read = (name: 'ca' | 'cert' | 'key'): Record<string, string> => {
      const path = own[name];
      if (path === undefined) return {};
      try {
        return { [name]: readFileSync(path, 'utf8') };
      } catch (cause) {
        const message = `net.hosts.${host}.${name}: ${path} cannot be read: ${whyNot(cause)}`;
        throw new CrawlError('config', message, { where: path, cause });
      }
    };
    const { passphrase, insecure } = own;
    settings[host] = {
      ...read('ca'),
      ...read('cert'),
      ...read('key'),
      ...(passphrase === undefined ? {} : { passphrase }),
      ...(insecure === undefined ? {} : { insecure }),
    };
  }
  return settings;
}
