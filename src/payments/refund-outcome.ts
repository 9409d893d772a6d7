import type { TollgateError } from '../domain/errors';
import type { RefundNeed } from '../domain/refund';

/**
 * The outcome of a refund. `pending`: accepted, and decided later; `needs` is null if nobody has to act, and omitted if
 * the provider's current answer is not known. `unknown`: it may have been made, so it is requested again under the same
 * key. `declined` is final; customers may read its reason. With `refusal`, the command is refused as well, because
 * nothing was started.
 */
export type RefundOutcome =
  | { kind: 'done' }
  | { kind: 'declined'; reason: string; refusal?: TollgateError }
  | { kind: 'pending'; needs?: RefundNeed | null }
  | { kind: 'unknown' };

/** The outcome as seen by workflows: their histories contain none of a provider's text. */
export type RefundAnswer = Pick<RefundOutcome, 'kind'>;

/** The `failure` of a pending refund while the provider is asked for the first time; a retry after a crash finds it. */
export const BEING_REQUESTED = 'The refund is being requested at the payment provider.';
/** The `failure` of a pending refund that its provider has accepted. */
export const ACCEPTED = 'The payment provider accepted the refund and is processing it.';
/** The `failure` of a pending refund while its outcome is unknown. */
export const UNCONFIRMED =
  'The payment provider has not confirmed the refund yet. It is checked again automatically.';
