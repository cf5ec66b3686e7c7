import { FolderSite } from './folder.ts';
import type { WebOptions } from './options.ts';
import { LabServer } from './server.ts';
import { SyntheticSite } from './synthetic.ts';

/** What to serve, as plain data: it crosses to another process. */
export interface LabSpec {
  readonly web:
    | { readonly kind: 'synthetic'; readonly options: WebOptions }
    | { readonly kind: 'folder'; readonly folder: string };
  readonly port: number;
  /** The pause that visitors promise to keep, ms. */
  readonly delayMs: number;
}

export function serverOf({ web, port, delayMs }: LabSpec): LabServer {
  if (web.kind === 'folder') return new LabServer((at) => new FolderSite(web.folder, at), { port, delayMs });
  const { hostBy, epochSeconds } = web.options;
  return new LabServer((at) => new SyntheticSite(web.options, at), { port, delayMs, hostBy, epochSeconds });
}
