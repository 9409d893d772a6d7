import type { Instant } from '../../domain/instant';
import {
  failedMarker,
  lateMarker,
  preparedMarker,
  unsentMarker,
  type SyncMarker,
} from '../../domain/synchronizer-marker';
import { AMBIGUOUS_ITEM } from '../../providers/ambiguous-item';
import type { SubscriptionFacts } from '../../providers/canonical-event';
import type { Outcome } from '../../providers/outcome';

/** Of an attempt whose claim has ended; nothing is recorded of it. */
export const OVERTAKEN: Outcome<never> = {
  kind: 'declined',
  code: 'overtaken',
  reason: 'The change was withdrawn before it was sent to the payment provider.',
};

export const RENEWED: Outcome<never> = {
  kind: 'declined',
  code: 'renewed_already',
  reason: 'The renewal came before the change was sent to the payment provider.',
};

/** The provider renewed after it was read, and before it received the change. */
export const LATE: Outcome<never> = {
  kind: 'declined',
  code: 'renewed_meanwhile',
  reason: 'The renewal came before the change reached the payment provider.',
};

const NEEDS_APPROVAL = 'The payment provider requires the customer’s approval.';

/**
 * Returns the marker after an attempt to prepare provider A for a renewal.
 *
 * @param claimed before the outcome was known
 * @param sentBefore what an earlier attempt may have sent; null if none has sent anything
 */
export function markerAfter(
  outcome: Outcome<SubscriptionFacts>,
  claimed: SyncMarker,
  sentBefore: string | null,
  at: Instant,
): SyncMarker {
  if (outcome.kind === 'done') return preparedMarker(claimed, outcome.value.unitAmount, at);
  const reason = 'reason' in outcome ? outcome.reason : NEEDS_APPROVAL;
  if (outcome === LATE) return lateMarker(claimed, reason, at);
  return failedMarker(sentBefore === null && isUnsent(outcome) ? unsentMarker(claimed) : claimed, reason, at);
}

/** Whether the adapter has refused the change without sending it, because it cannot tell which item is the plan's. */
function isUnsent(outcome: Outcome<SubscriptionFacts>): boolean {
  return outcome.kind === 'declined' && outcome.code === AMBIGUOUS_ITEM.code;
}
