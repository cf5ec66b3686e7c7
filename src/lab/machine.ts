import { cpus, loadavg, totalmem } from 'node:os';

/** Where a figure comes from: without this beside it, a figure means nothing a month later. */
export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGB: number;
  readonly platform: string;
  readonly node: string;
  /** Runnable tasks of the whole machine over the last minute: well above 0 before a run, wall times mean little. */
  readonly load: number;
}

export const machine = (): Machine => ({
  cpu: cpus()[0]?.model.trim() ?? 'unknown',
  cores: cpus().length,
  memoryGB: Math.round(totalmem() / 2 ** 30),
  platform: `${process.platform}-${process.arch}`,
  node: process.version,
  load: Number(loadavg()[0]!.toFixed(2)),
});
