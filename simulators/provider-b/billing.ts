import { namedCall } from '../core/named-call';
import { feeOf, shortText, type Amount } from './amounts';
import { publish } from './events';
import { newId } from './identifiers';
import { saleObject, subscriptionResource } from './subscription-objects';
import type { Account, Plan, Sale, Simulation, Subscription } from './state';
import { DAY_MS } from '../../src/domain/instant';

/** A failed payment is retried after this time, and the third failure suspends the subscription. */
const RETRY_MS = 5 * DAY_MS;
const FAILURES_ALLOWED = 3;
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

/** Resumes a suspended subscription. Missed payments are not charged; the next one is the next one due. */
export function resume(simulation: Simulation, account: Account, subscription: Subscription): void {
  const now = simulation.core.clock.now();
  const plan = account.plans.get(subscription.planId);
  subscription.status = 'ACTIVE';
  subscription.failedPayments = 0;
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

/** Publishes an event with the subscription's current state. `UPDATED` is also sent if the plan is unchanged. */
export function tell(
  simulation: Simulation,
  account: Account,
  subscription: Subscription,
  what: string,
  summary: string,
): void {
  publish(simulation, account, {
    type: `BILLING.SUBSCRIPTION.${what}`,
    resourceType: 'subscription',
    summary,
    resource: subscriptionResource(account, subscription),
  });
}

function bill(simulation: Simulation, account: Account, subscription: Subscription): void {
  subscription.due = null;
  const plan = account.plans.get(subscription.planId);
  if (plan === undefined || subscription.status !== 'ACTIVE') return;
  if (plan.totalCycles > 0 && subscription.cyclesCompleted >= plan.totalCycles) {
    end(simulation, account, subscription, 'EXPIRED');
    return;
  }
  if (account.switches.failPayments) {
    fail(simulation, account, subscription);
    return;
  }
  const now = simulation.core.clock.now();
  const fee = subscription.cyclesCompleted === 0 ? (plan.setupFee?.minor ?? 0n) : 0n;
  const regular = plan.price.minor * BigInt(subscription.quantity ?? 1);
  const amount: Amount = { ...plan.price, minor: regular + addedTax(plan, regular) + fee };
  const sale = pay(simulation, account, subscription, amount);
  subscription.cyclesCompleted += 1;
  subscription.failedPayments = 0;
  subscription.lastPayment = { amount, at: now };
  subscription.updatedAt = now;
  subscription.nextBillingTime = nextBilling(plan, subscription);
  waitUntil(simulation, account, subscription, subscription.nextBillingTime);
  publish(simulation, account, {
    type: 'PAYMENT.SALE.COMPLETED',
    resourceType: 'sale',
    summary: `Payment completed for ${shortText(amount.minor, amount.currency)} ${amount.currency}`,
    resource: saleObject(account, sale),
  });
  tell(simulation, account, subscription, 'UPDATED', 'Subscription updated');
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

function pay({ core }: Simulation, account: Account, subscription: Subscription, amount: Amount): Sale {
  const sale: Sale = {
    id: newId(),
    subscriptionId: subscription.id,
    amount,
    fee: feeOf(amount),
    createdAt: core.clock.now(),
    refunded: 0n,
  };
  account.sales.set(sale.id, sale);
  account.ledger.push({
    id: sale.id,
    code: 'T0002',
    referenceId: subscription.id,
    amount,
    fee: sale.fee,
    at: sale.createdAt,
    status: 'S',
    customId: subscription.customId,
    invoiceId: undefined,
  });
  return sale;
}

function fail(simulation: Simulation, account: Account, subscription: Subscription): void {
  const now = simulation.core.clock.now();
  subscription.failedPayments += 1;
  subscription.updatedAt = now;
  // The owed period began when it was due: a late payment does not move the following ones.
  subscription.nextBillingTime ??= subscription.startTime;
  if (subscription.failedPayments >= FAILURES_ALLOWED) subscription.status = 'SUSPENDED';
  else waitUntil(simulation, account, subscription, now + RETRY_MS);
  tell(simulation, account, subscription, 'PAYMENT.FAILED', 'Payment failed on subscription');
  if (subscription.status === 'SUSPENDED') {
    tell(simulation, account, subscription, 'SUSPENDED', 'Subscription suspended');
  }
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
