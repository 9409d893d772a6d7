import { namedCall } from '../core/named-call';
import type { Amount } from './amounts';
import { unprocessable } from './problem';
import { countFailure, recordPayment } from './payments';
import { priceDueAt } from './plans';
import type { Account, Plan, Simulation, Subscription } from './state';
import { tell } from './subscription-events';
import { DAY_MS } from '../../src/domain/instant';

/** A payment that is refused is tried again after this time, twice, unless the next one is due before. */
const RETRY_MS = 5 * DAY_MS;
const ATTEMPTS = 3;
/** Payments after the first one are made at this hour, whenever the subscription began. */
const BILLING_HOUR_UTC = 10;

const billLater = namedCall('b.bill', bill);

/** Starts an approved subscription: the first payment at once, the next at the end of the first period. */
export function activate(simulation: Simulation, account: Account, subscription: Subscription): void {
  const now = simulation.core.clock.now();
  subscription.status = 'ACTIVE';
  subscription.startTime = now;
  subscription.updatedAt = now;
  tell(simulation, account, subscription, 'ACTIVATED', 'Subscription activated');
  bill(simulation, account, subscription);
}

/** Ends a subscription at once. */
export function end(
  simulation: Simulation,
  account: Account,
  subscription: Subscription,
  status: 'CANCELLED' | 'EXPIRED',
): void {
  subscription.due?.cancel();
  subscription.due = null;
  subscription.status = status;
  subscription.nextBillingTime = null;
  subscription.revision = null;
  subscription.updatedAt = simulation.core.clock.now();
  tell(simulation, account, subscription, status, `Subscription ${status.toLowerCase()}`);
}

/** Suspends charges until the subscription is resumed. */
export function suspend(simulation: Simulation, account: Account, subscription: Subscription): void {
  subscription.due?.cancel();
  subscription.due = null;
  subscription.status = 'SUSPENDED';
  subscription.updatedAt = simulation.core.clock.now();
  tell(simulation, account, subscription, 'SUSPENDED', 'Subscription suspended');
}

/**
 * Resumes a suspended subscription. Payments of the time in which it was suspended are not charged; the next one is the
 * next one due. What had failed before is still owed.
 */
export function resume(simulation: Simulation, account: Account, subscription: Subscription): void {
  const now = simulation.core.clock.now();
  const plan = account.plans.get(subscription.planId);
  subscription.status = 'ACTIVE';
  subscription.attempts = 0;
  subscription.updatedAt = now;
  if (plan !== undefined) {
    subscription.nextBillingTime ??= nextBilling(plan, subscription);
    while (subscription.nextBillingTime <= now)
      subscription.nextBillingTime = nextBilling(plan, subscription);
    waitUntil(simulation, account, subscription, subscription.nextBillingTime);
  }
  // Both events are sent: the documented one, and the one of older accounts.
  tell(simulation, account, subscription, 'ACTIVATED', 'Subscription activated');
  tell(simulation, account, subscription, 'RE-ACTIVATED', 'Subscription re-activated');
}

/** Applies a revision: the subscription has the new plan now, and first pays for it at the next renewal. */
export function applyRevision(simulation: Simulation, account: Account, subscription: Subscription): void {
  const { revision } = subscription;
  if (revision === null) return;
  subscription.planId = revision.planId;
  subscription.quantity = revision.quantity ?? subscription.quantity;
  subscription.revision = null;
  subscription.updatedAt = simulation.core.clock.now();
  tell(simulation, account, subscription, 'UPDATED', 'Subscription updated');
}

/**
 * Charges part of what is owed for failed payments, or all of it, at the merchant's request.
 *
 * @throws ProviderProblem ZERO_OUTSTANDING_BALANCE, AMOUNT_GREATER_THAN_OUTSTANDING_BALANCE, CURRENCY_MISMATCH,
 * INSTRUMENT_DECLINED
 */
export function captureOutstanding(
  simulation: Simulation,
  account: Account,
  subscription: Subscription,
  amount: Amount,
): void {
  const { outstanding = 0n } = subscription;
  if (outstanding === 0n) {
    throw unprocessable(
      'ZERO_OUTSTANDING_BALANCE',
      'Current outstanding balance should be greater than zero.',
    );
  }
  assertCurrency(account, subscription, amount);
  if (amount.minor > outstanding) {
    throw unprocessable(
      'AMOUNT_GREATER_THAN_OUTSTANDING_BALANCE',
      'The capture amount can not be greater than the current outstanding balance.',
    );
  }
  if (account.switches.failPayments) {
    throw unprocessable('INSTRUMENT_DECLINED', 'The instrument presented was declined by the processor.');
  }
  subscription.outstanding = outstanding - amount.minor;
  recordPayment(simulation, account, subscription, amount);
}

/**
 * Reduces what is owed, as for a payment that was not made through provider B.
 *
 * @throws ProviderProblem CURRENCY_MISMATCH, INVALID_OUTSTANDING_BALANCE
 */
export function reduceOutstanding(
  simulation: Simulation,
  account: Account,
  subscription: Subscription,
  left: Amount,
): void {
  assertCurrency(account, subscription, left);
  if (left.minor > (subscription.outstanding ?? 0n)) {
    throw unprocessable('INVALID_OUTSTANDING_BALANCE', 'The outstanding balance can only be reduced.');
  }
  subscription.outstanding = left.minor;
  subscription.updatedAt = simulation.core.clock.now();
  tell(simulation, account, subscription, 'UPDATED', 'Subscription updated');
}

function assertCurrency(account: Account, { planId }: Subscription, { currency }: Amount): void {
  if (currency === account.plans.get(planId)?.price.currency) return;
  throw unprocessable('CURRENCY_MISMATCH', 'The currency code differs from that of the subscription.');
}

function bill(simulation: Simulation, account: Account, subscription: Subscription): void {
  subscription.due = null;
  const plan = account.plans.get(subscription.planId);
  if (plan === undefined || subscription.status !== 'ACTIVE') return;
  if (isLastPaid(plan, subscription)) {
    end(simulation, account, subscription, 'EXPIRED');
    return;
  }
  const isFirst = subscription.cyclesCompleted === 0;
  const dueAt = subscription.nextBillingTime ?? subscription.startTime;
  const price = isFirst ? plan.price : priceDueAt(plan, dueAt);
  const fee = isFirst ? (plan.setupFee?.minor ?? 0n) : 0n;
  const regular = price.minor * BigInt(subscription.quantity ?? 1);
  const due = regular + addedTax(plan, regular) + fee;
  const owed = plan.billsOutstanding === false ? 0n : (subscription.outstanding ?? 0n);
  const amount: Amount = { ...plan.price, minor: due + owed };
  if (account.switches.failPayments) {
    fail(simulation, account, subscription, { plan, amount, due });
    return;
  }
  subscription.cyclesCompleted += 1;
  subscription.attempts = 0;
  subscription.outstanding = (subscription.outstanding ?? 0n) - owed;
  subscription.nextBillingTime = nextBilling(plan, subscription);
  waitUntil(simulation, account, subscription, subscription.nextBillingTime);
  recordPayment(simulation, account, subscription, amount);
  // It expires with its last charge, and not at the end of the period that this pays.
  if (isLastPaid(plan, subscription)) end(simulation, account, subscription, 'EXPIRED');
}

function isLastPaid({ totalCycles }: Plan, { cyclesCompleted }: Subscription): boolean {
  return totalCycles > 0 && cyclesCompleted >= totalCycles;
}

/** Returns a plan's tax that is not included in its price. */
function addedTax({ taxes }: Plan, minor: bigint): bigint {
  if (taxes === undefined || taxes.inclusive) return 0n;
  return BigInt(Math.round((Number(minor) * Number(taxes.percentage)) / 100));
}

function waitUntil(
  simulation: Simulation,
  account: Account,
  subscription: Subscription,
  instant: number,
): void {
  subscription.due = simulation.core.clock.at(instant, billLater(simulation, account, subscription));
}

/**
 * Records that a payment was refused. It counts as failed, and is owed, once it is not tried again; until then the
 * subscription shows nothing but the attempt.
 */
function fail(
  simulation: Simulation,
  account: Account,
  subscription: Subscription,
  { plan, amount, due }: { plan: Plan; amount: Amount; due: bigint },
): void {
  const now = simulation.core.clock.now();
  const attempts = (subscription.attempts ?? 0) + 1;
  const retryAt = now + RETRY_MS;
  subscription.updatedAt = now;
  // The owed period began when it was due: a late payment does not move the following ones.
  subscription.nextBillingTime ??= subscription.startTime;
  const next = nextBilling(plan, subscription);
  const isRetried = attempts < ATTEMPTS && retryAt < next;
  subscription.attempts = isRetried ? attempts : 0;
  subscription.lastFailure = { amount, at: now, retryAt: isRetried ? retryAt : null };
  if (isRetried) {
    waitUntil(simulation, account, subscription, retryAt);
    tell(simulation, account, subscription, 'PAYMENT.FAILED', 'Payment failed on subscription');
    return;
  }
  const isSuspended = countFailure(simulation, account, subscription, { plan, due });
  if (isSuspended) return;
  subscription.nextBillingTime = next;
  waitUntil(simulation, account, subscription, next);
}

/** Returns the next payment, one interval later at the billing hour, on the start day or the month's last day. */
function nextBilling(
  { interval: { unit, count } }: Plan,
  { startTime, nextBillingTime }: Subscription,
): number {
  const from = new Date(nextBillingTime ?? startTime);
  const [year, month] = [from.getUTCFullYear(), from.getUTCMonth()];
  if (unit === 'DAY' || unit === 'WEEK') {
    const days = count * (unit === 'WEEK' ? 7 : 1);
    return Date.UTC(year, month, from.getUTCDate() + days, BILLING_HOUR_UTC);
  }
  const target = month + count * (unit === 'YEAR' ? 12 : 1);
  const lastDay = new Date(Date.UTC(year, target + 1, 0)).getUTCDate();
  const day = Math.min(new Date(startTime).getUTCDate(), lastDay);
  return Date.UTC(year, target, day, BILLING_HOUR_UTC);
}
