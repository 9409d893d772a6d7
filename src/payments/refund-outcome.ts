/**
 * What became of a refund at whoever gives the money back. `pending`: taken on, and decided later. `unknown`: nobody can
 * say whether it was done, so it is asked again under the same key. `declined` is final; its reason may be read by a
 * customer.
 */
export type RefundOutcome =
  { kind: 'done' } | { kind: 'declined'; reason: string } | { kind: 'pending' } | { kind: 'unknown' };

/** What a workflow is told of it: a history holds nothing that a provider has said. */
export type RefundAnswer = Pick<RefundOutcome, 'kind'>;
