import { feeOf, shortText, type Amount } from './amounts';
import { publish } from './events';
import { newId } from './identifiers';
import { markCleared, markDenied } from './ledger';
import { saleObject } from './subscription-objects';
import type { Account, Plan, Sale, Simulation, Subscription } from './state';
import { tell } from './subscription-events';

/** Makes a payment of a subscription. By a cheque it is pending until the bank answers (`answerCheques`). */
export function recordPayment(
  simulation: Simulation,
  account: Account,
  subscription: Subscription,
  amount: Amount,
): void {
  const sale = pay(simulation, account, subscription, amount);
  if (sale.state === 'pending') tellSale(simulation, account, sale, 'PENDING');
  else conclude(simulation, account, subscription, sale);
}

/** Has the banks answer all cheques: each clears, or is returned and counts as a failed payment. */
export function answerCheques(simulation: Simulation, account: Account, isPaid: boolean): void {
  for (const sale of account.sales.values()) {
    const subscription = account.subscriptions.get(sale.subscriptionId);
    if (sale.state !== 'pending' || subscription === undefined) continue;
    if (isPaid) {
      delete sale.state;
      markCleared(account, sale.id);
      conclude(simulation, account, subscription, sale);
    } else {
      sale.state = 'denied';
      markDenied(account, sale.id);
      tellSale(simulation, account, sale, 'DENIED');
      const plan = account.plans.get(subscription.planId);
      const now = simulation.core.clock.now();
      subscription.lastFailure = { amount: sale.amount, at: now, retryAt: null };
      subscription.updatedAt = now;
      if (plan !== undefined)
        countFailure(simulation, account, subscription, { plan, due: sale.amount.minor });
    }
  }
}

/**
 * Counts a payment that is not tried again as failed; what it was for is owed.
 *
 * @returns whether the subscription is suspended now
 */
export function countFailure(
  simulation: Simulation,
  account: Account,
  subscription: Subscription,
  { plan, due }: { plan: Plan; due: bigint },
): boolean {
  subscription.failedPayments += 1;
  subscription.outstanding = (subscription.outstanding ?? 0n) + due;
  const threshold = plan.failureThreshold ?? 1;
  const isSuspended =
    subscription.status === 'ACTIVE' && threshold > 0 && subscription.failedPayments >= threshold;
  if (isSuspended) {
    subscription.due?.cancel();
    subscription.due = null;
    subscription.status = 'SUSPENDED';
  }
  tell(simulation, account, subscription, 'PAYMENT.FAILED', 'Payment failed on subscription');
  if (isSuspended) tell(simulation, account, subscription, 'SUSPENDED', 'Subscription suspended');
  return isSuspended;
}

/** Only a payment that has cleared is the subscription's last one. */
function conclude(simulation: Simulation, account: Account, subscription: Subscription, sale: Sale): void {
  subscription.failedPayments = 0;
  subscription.lastPayment = { amount: sale.amount, at: sale.createdAt };
  subscription.updatedAt = simulation.core.clock.now();
  tellSale(simulation, account, sale, 'COMPLETED');
  tell(simulation, account, subscription, 'UPDATED', 'Subscription updated');
}

function tellSale(
  simulation: Simulation,
  account: Account,
  sale: Sale,
  state: 'PENDING' | 'COMPLETED' | 'DENIED',
): void {
  const { minor, currency } = sale.amount;
  publish(simulation, account, {
    type: `PAYMENT.SALE.${state}`,
    resourceType: 'sale',
    summary: `Payment ${state.toLowerCase()} for ${shortText(minor, currency)} ${currency}`,
    resource: saleObject(account, sale),
  });
}

function pay({ core }: Simulation, account: Account, subscription: Subscription, amount: Amount): Sale {
  const sale: Sale = {
    id: newId(),
    subscriptionId: subscription.id,
    amount,
    fee: feeOf(amount),
    createdAt: core.clock.now(),
    refunded: 0n,
    ...(account.switches.payByCheque && { state: 'pending' as const }),
  };
  account.sales.set(sale.id, sale);
  account.ledger.push({
    id: sale.id,
    code: 'T0002',
    referenceId: subscription.id,
    amount,
    fee: sale.fee,
    at: sale.createdAt,
    status: sale.state === 'pending' ? 'P' : 'S',
    customId: subscription.customId,
    invoiceId: undefined,
  });
  return sale;
}
