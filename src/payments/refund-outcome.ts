import type { TollgateError } from '../domain/errors';

/**
 * What became of a refund at whoever gives the money back. `pending`: taken on, and decided later. `unknown`: nobody can
 * say whether it was done, so it is asked again under the same key. `declined` is final; its reason may be read by a
 * customer. With `refusal` it is the command's too: nothing of it was begun.
 */
export type RefundOutcome =
  | { kind: 'done' }
  | { kind: 'declined'; reason: string; refusal?: TollgateError }
  | { kind: 'pending' }
  | { kind: 'unknown' };

/** What a workflow is told of it: a history holds nothing that a provider has said. */
export type RefundAnswer = Pick<RefundOutcome, 'kind'>;
