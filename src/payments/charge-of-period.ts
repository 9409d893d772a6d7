import type { DbTransaction } from '../db/pools';
import { needsChargeOfPeriod } from '../domain/change-at-renewal';
import { DAY_MS } from '../domain/instant';
import type { BilledFacts, ReconciledView } from '../domain/reconciled-view';
import type { WorkspaceScope } from '../tenancy/actor';
import { findLatestCharge } from './payment-store';

/**
 * Adds the charge for the subscription's current period to a provider's facts if it helps to determine which terms a
 * renewal was charged for. Otherwise returns the facts unchanged.
 */
export async function withChargeOfPeriod<F extends BilledFacts>(
  trx: DbTransaction,
  scope: WorkspaceScope,
  subscription: ReconciledView & { id: string },
  facts: F,
): Promise<F> {
  const { lastPayment } = facts;
  if (lastPayment === undefined || !needsChargeOfPeriod(subscription, facts)) return facts;
  const { id, currentPeriodStart: start, currentPeriodEnd: end } = subscription;
  const before = await findLatestCharge(trx, scope, id, { from: start - DAY_MS, to: end - DAY_MS });
  return before === undefined ? facts : { ...facts, lastPayment: { ...lastPayment, before } };
}
