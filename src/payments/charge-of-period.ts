import type { DbTransaction } from '../db/pools';
import { hasRenewed } from '../domain/change-at-renewal';
import { DAY_MS } from '../domain/instant';
import { mayBringChange } from '../domain/price-of-charge';
import type { BilledFacts, ReconciledView } from '../domain/reconciled-view';
import type { WorkspaceScope } from '../tenancy/actor';
import { findLatestCharge } from './payment-store';

/**
 * Adds the charge for the subscription's current period to a provider's facts if it helps to determine which terms a
 * renewal was charged for: at provider B, when a change is waiting or the plan's price has changed. Otherwise returns
 * the facts unchanged.
 */
export async function withChargeOfPeriod<F extends BilledFacts>(
  trx: DbTransaction,
  scope: WorkspaceScope,
  subscription: ReconciledView & { id: string },
  facts: F,
): Promise<F> {
  const { lastPayment } = facts;
  const isOneOfTwo = mayBringChange(subscription) || subscription.unitAmount !== subscription.planUnitAmount;
  if (lastPayment === undefined || !isOneOfTwo || !hasRenewed(subscription, facts)) return facts;
  const { id, currentPeriodStart: start, currentPeriodEnd: end } = subscription;
  const before = await findLatestCharge(trx, scope, id, { from: start - DAY_MS, to: end - DAY_MS });
  return before === undefined ? facts : { ...facts, lastPayment: { ...lastPayment, before } };
}
