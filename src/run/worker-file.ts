import { existsSync } from 'node:fs';
import { extname } from 'node:path';
import { CrawlError } from '../errors.ts';

/**
 * The address of a door into a thread or a process: `workers/<name>` beside `src`, with our own extension, `.ts` from
 * source, `.js` once compiled.
 * @throws CrawlError 'failed' when it is not there, which is so inside a bundle
 */
export function workerFile(name: string): string {
  // A bundle in CommonJS has no address of its own.
  const own = import.meta.url as string | undefined;
  const file = own ? new URL(`../../workers/${name}${extname(own)}`, own) : null;
  if (!file || (file.protocol === 'file:' && !existsSync(file)))
    throw new CrawlError(
      'failed',
      `the worker ${name} is not beside the code that starts it (${file?.href ?? 'a bundle'}): leave nuthatch outside of ` +
        'the bundle (external in esbuild, externals in webpack), or unpack it (asarUnpack in Electron)',
    );
  return file.href;
}
