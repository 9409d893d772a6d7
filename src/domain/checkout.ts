import type { Instant } from './instant';
import type { LifecycleView } from './lifecycle';
import type { OperationStatus } from './operation-status';
import { calendarPeriodContaining } from './period';

export const CHECKOUT_STATUSES = ['open', 'complete', 'expired'] as const;
/** `complete`: what was offered is paid, or nothing was to pay; `expired`: it can no longer be paid. */
export type CheckoutStatus = (typeof CHECKOUT_STATUSES)[number];

export const CHECKOUT_KINDS = ['subscription', 'payment'] as const;
/** `subscription`: it offers a plan; `payment`: it takes an amount once. */
export type CheckoutKind = (typeof CHECKOUT_KINDS)[number];

/** How long an unpaid checkout stays open unless its creator says otherwise: a day. */
export const CHECKOUT_MINUTES = 1_440;
/** Long enough to pay, and for a payment to be under way. */
export const MIN_CHECKOUT_MINUTES = 5;
/** Thirty days: what is offered is a price, and prices change. */
export const MAX_CHECKOUT_MINUTES = 43_200;

const MINUTE_MS = 60_000;

/** When a checkout that was made at an instant gives up. */
export function checkoutDeadline(madeAt: Instant, minutes: number): Instant {
  return madeAt + minutes * MINUTE_MS;
}

/**
 * Whether another checkout was asked for after this one, which is `accepted`: nobody waits for its answer any more. One
 * whose key was sent anew after a refusal is as new as that, and when that was is not known.
 *
 * @param other when the other one was asked for
 */
export function isOutdated(
  { status, attempts, createdAt }: { status: OperationStatus; attempts: number; createdAt: Instant },
  other: Instant,
): boolean {
  return status === 'accepted' && attempts === 1 && other > createdAt;
}

/**
 * The subscription of a checkout that was paid: it starts, and is anchored, at the payment's instant, because nobody
 * pays for the time before. Price, seats and tax stay as they were offered.
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
