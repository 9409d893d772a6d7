import type { LifecycleView } from './lifecycle-view';
import { endsAt } from './pending-cancellation';
import { hasEnded } from './subscription-types';

export const AWAITED = [
  /** The payment of its checkout. */
  'checkout',
  /** The outcome of a call to the payment provider. */
  'provider',
  /** The customer's approval of a change at the payment provider. */
  'approval',
  /** The payment that clears its past-due status. */
  'payment',
  /** Its end. */
  'end',
  /** The renewal that changes its plan or seats. */
  'change',
  'trial_end',
  'renewal',
] as const;

/** What a subscription waits for next, as one word; lists are filtered and searched by it. */
export type Awaited = (typeof AWAITED)[number];

/**
 * Returns the first of these that applies; null for a subscription that has ended. A renewal that changes nothing
 * counts as `renewal`, and so does a payment that is open but not past due.
 */
export function awaited(view: LifecycleView): Awaited | null {
  if (hasEnded(view.status)) return null;
  if (view.status === 'incomplete') return 'checkout';
  if (view.work?.unsettled) return 'provider';
  if (view.work?.request) return 'approval';
  if (view.status === 'past_due') return 'payment';
  if (endsAt(view) !== null) return 'end';
  if (view.scheduledInterval !== null) return 'change';
  return view.status === 'trialing' ? 'trial_end' : 'renewal';
}
