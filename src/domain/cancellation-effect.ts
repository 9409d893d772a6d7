import type { Instant } from './instant';
import { periodOverAt, type EndView } from './pending-cancellation';
import type { Provider } from './provider';
import { hasEnded, type SubscriptionStatus } from './subscription-types';

/** A subscription after its cancellation. */
export interface CancelledView extends EndView {
  provider: Provider;
  status: SubscriptionStatus;
  cancelAtPeriodEnd: boolean;
  currentPeriodEnd: Instant;
  /** When it ended; null before. */
  cancelledAt: Instant | null;
}

/**
 * Returns when a cancellation takes effect: with the period if it is pending, otherwise at once. Provider B also ends a
 * subscription at once that has had its last charge and would have ended with its period.
 */
export function cancellationEffect(
  view: CancelledView,
  now: Instant,
): { effective: 'immediate' | 'period_end'; effectiveAt: Instant } {
  const isCutShort = view.provider === 'provider_b' && hasEnded(view.status);
  return view.cancelAtPeriodEnd && !isCutShort
    ? { effective: 'period_end', effectiveAt: periodOverAt(view) }
    : { effective: 'immediate', effectiveAt: view.cancelledAt ?? now };
}
