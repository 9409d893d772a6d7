import type { DbTransaction } from '../db/pools';
import { withMissingPayment, type Drift } from '../domain/drift';
import type { BilledSubscription } from '../subscriptions/billed-subscription';
import { isPeriodUnpaid } from '../subscriptions/at-provider/payments-read-store';
import type { WorkspaceScope } from '../tenancy/actor';

/** What was compared, and whether the period that runs was paid: no reading of the subscription says that. */
export async function withUnpaidPeriod(
  trx: DbTransaction,
  scope: WorkspaceScope,
  subscription: BilledSubscription,
  found: Drift,
): Promise<Drift> {
  const isUnpaid = await isPeriodUnpaid(trx, scope, subscription.id);
  return isUnpaid ? withMissingPayment(found, subscription) : found;
}
