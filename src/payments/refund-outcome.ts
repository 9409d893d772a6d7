import type { TollgateError } from '../domain/errors';

/**
 * The outcome of a refund. `pending`: accepted, and decided later. `unknown`: it may have been made, so it is requested
 * again under the same key. `declined` is final; customers may read its reason. With `refusal`, the command is refused
 * as well, because nothing was started.
 */
export type RefundOutcome =
  | { kind: 'done' }
  | { kind: 'declined'; reason: string; refusal?: TollgateError }
  | { kind: 'pending' }
  | { kind: 'unknown' };

/** The outcome as seen by workflows: their histories contain none of a provider's text. */
export type RefundAnswer = Pick<RefundOutcome, 'kind'>;
