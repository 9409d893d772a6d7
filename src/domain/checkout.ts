import { MINUTE_MS, type Instant } from './instant';
import type { LifecycleView } from './lifecycle';
import type { OperationStatus } from './operation-status';
import { calendarPeriodContaining } from './period';

export const CHECKOUT_STATUSES = ['open', 'complete', 'expired'] as const;
/** `complete`: the offer is paid, or there was nothing to pay; `expired`: it can no longer be paid. */
export type CheckoutStatus = (typeof CHECKOUT_STATUSES)[number];

export const CHECKOUT_KINDS = ['subscription', 'payment'] as const;
/** `subscription`: offers a plan; `payment`: collects a one-time amount. */
export type CheckoutKind = (typeof CHECKOUT_KINDS)[number];

/** How long an unpaid checkout stays open unless its creator specifies otherwise: one day. */
export const CHECKOUT_MINUTES = 1_440;
/** Long enough to pay, including a payment in progress. */
export const MIN_CHECKOUT_MINUTES = 5;
/** Thirty days: a checkout offers a price, and prices change. */
export const MAX_CHECKOUT_MINUTES = 43_200;

/** Returns when a checkout created at `madeAt` expires. */
export function checkoutDeadline(madeAt: Instant, minutes: number): Instant {
  return madeAt + minutes * MINUTE_MS;
}

/**
 * Whether another checkout was requested after this one, which is still `accepted`, so no caller waits for its answer.
 * A checkout whose key was sent again after a refusal is as recent as that retry, whose time is unknown.
 *
 * @param other when the other checkout was requested
 */
export function isOutdated(
  { status, attempts, createdAt }: { status: OperationStatus; attempts: number; createdAt: Instant },
  other: Instant,
): boolean {
  return status === 'accepted' && attempts === 1 && other > createdAt;
}

/**
 * Starts the subscription of a paid checkout. It starts, and is anchored, at the time of the payment, because the
 * customer does not pay for the time before. Price, seats and tax stay as offered.
 */
export function startWhenPaid<V extends LifecycleView & { startedAt: Instant }>(view: V, paidAt: Instant): V {
  const { timeZone, interval } = view;
  const { start, end } = calendarPeriodContaining({ anchor: paidAt, timeZone, interval }, paidAt);
  return {
    ...view,
    status: 'active',
    startedAt: paidAt,
    billingAnchor: paidAt,
    currentPeriodStart: start,
    currentPeriodEnd: end,
    incompleteUntil: null,
    paymentDueAt: null,
  };
}
