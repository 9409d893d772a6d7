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
  /** The payment that makes it past due no longer. */
  'payment',
  /** Its end. */
  'end',
  /** The renewal that changes its plan or seats. */
  'change',
  'trial_end',
  'renewal',
] as const;

/** What a subscription waits for next, in one word: by it lists are filtered and searched. */
export type Awaited = (typeof AWAITED)[number];

/**
 * The first of these that holds; null for a subscription that has ended. A renewal that changes nothing keeps it, and
 * so does a payment that is open and not past due.
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
