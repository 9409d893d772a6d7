import type { Instant } from './instant';
import type { LifecycleView } from './lifecycle-view';

/** `pending` and `failed` come from payment providers; a payment recorded by an operator has succeeded. */
export const PAYMENT_STATUSES = ['pending', 'succeeded', 'failed'] as const;
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

/**
 * Whether a payment may change a subscription's state, because it is past due, is about to be, or waits for its
 * checkout to be paid.
 */
export function mayChangeState(
  { status, paymentDueAt }: Pick<LifecycleView, 'status' | 'paymentDueAt'>,
  now: Instant,
): boolean {
  switch (status) {
    case 'past_due':
    case 'incomplete':
      return true;
    case 'trialing':
    case 'active':
      return paymentDueAt !== null && paymentDueAt <= now;
    case 'cancelled':
    case 'expired':
      return false;
  }
}
