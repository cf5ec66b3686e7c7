/**
 * Figures as people read them: counts, sizes, times.
 */
/**
 * Counts that are not zero, `12 added, 3 rejected: not due`; names in camel case come apart, `outcome.gone` is `gone`, and a
 * moment reads as one.
 */
export const counters = (all: Readonly<Record<string, number>>): string =>
  Object.entries(all)
    .filter(([, n]) => n !== 0)
    .map(([name, n]) => {
      if (name === 'nextDue') return `next due ${moment(n)}`;
      const words = name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, ' ').toLowerCase();
      return `${name === 'bytes' ? size(n) : `${count(n)} ${words.replace(/^outcome\./, '').replace('.', ': ')}`}`;
    })
    .join(', ') || 'nothing to do';

/** `2026-12-30 18:20 UTC`, of ms since the epoch or a text of ISO 8601. */
export const moment = (at: number | string): string =>
  `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

export const count = (n: number): string =>
  Number.isInteger(n) ? String(n).replaceAll(/\B(?=(\d{3})+$)/g, ',') : n.toFixed(2);

export const size = (bytes: number): string => {
  if (bytes < 1024) return `${bytes} B`;
  const step = Math.min(3, Math.floor(Math.log2(bytes) / 10));
  return `${(bytes / 2 ** (10 * step)).toFixed(1)} ${['', 'kB', 'MB', 'GB'][step]}`;
};

export const duration = (ms: number): string => {
  if (ms < 9950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, '0')} s`;
  return `${Math.floor(seconds / 3600)} h ${String(Math.floor((seconds % 3600) / 60)).padStart(2, '0')} min`;
};
