import type { DbTransaction } from '../db/pools';
import { withMissingPayment, type Drift } from '../domain/drift';
import type { BilledSubscription } from '../subscriptions/billed-subscription';
import { isPeriodUnpaid } from '../subscriptions/at-provider/payments-read-store';
import type { WorkspaceScope } from '../tenancy/actor';

/** Adds to the drift whether the current period was paid, which no reading of the subscription says. */
export async function withUnpaidPeriod(
  trx: DbTransaction,
  scope: WorkspaceScope,
  subscription: BilledSubscription,
  found: Drift,
): Promise<Drift> {
  const isUnpaid = await isPeriodUnpaid(trx, scope, subscription.id);
  return isUnpaid ? withMissingPayment(found, subscription) : found;
}
