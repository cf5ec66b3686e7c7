import type { Reason } from '../../page/reason.ts';

/** A document that is not read, with the reason: thrown by readers, turned into an outcome by parseDocument. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly reason: Reason;
  constructor(reason: Reason, detail: string, more?: { readonly cause?: unknown }) {
    super(detail, more);
    this.reason = reason;
  }
}
