import type { DbTransaction } from '../../db/pools';
import { hasRenewed } from '../../domain/change-at-renewal';
import { withEndOfChargedPeriod } from '../../domain/end-of-charged-period';
import { isTakingBack } from '../../domain/provider-calls';
import type { PendingCall } from '../../domain/provider-work';
import type { ConnectedProvider } from '../../connections/connected-providers';
import type { SubscriptionFacts } from '../../providers/canonical-event';
import type { WorkspaceScope } from '../../tenancy/actor';
import type { BilledSubscription } from '../billed-subscription';
import { findBilledSubscription } from '../billed-subscription-store';
import type { Reconciler, ReconcileTimes } from './reconciler';

/**
 * Applies, in the open transaction, a renewal that first comes to light with a command, as a reading would: records its
 * event, and the new terms count from the boundary. The command's own effect is not applied here.
 *
 * @param before its row is locked
 * @returns the updated row
 */
export async function applyUnreadRenewal(
  trx: DbTransaction,
  reconciler: Reconciler,
  scope: WorkspaceScope,
  { adapter }: ConnectedProvider,
  before: BilledSubscription,
  { intent }: PendingCall,
  facts: SubscriptionFacts,
  times: ReconcileTimes,
): Promise<BilledSubscription> {
  const { id, connectionId, version, cancelAtPeriodEnd, cancelAt } = before;
  const { currentPeriodEnd } = withEndOfChargedPeriod(before, facts);
  const read = { ...facts, currentPeriodEnd };
  if (connectionId === null || intent.kind === 'repair' || isTakingBack(before.work)) return before;
  if (!hasRenewed(before, read)) return before;
  const planReference = 'to' in intent ? null : facts.planReference;
  const renewal = { ...read, planReference, cancelAtPeriodEnd, cancelAt };
  // The provider's clock may be ahead. It has ended the period, so the scheduled change is due.
  const now = Math.max(times.now, before.currentPeriodEnd);
  await reconciler.applyReading(
    trx,
    { scope, id: connectionId, provider: adapter.provider },
    { subscription: renewal, payment: null, references: [], seen: { subscriptionId: id, version } },
    { ...times, now },
    adapter,
  );
  return (await findBilledSubscription(trx, scope, id, 'lock')) ?? before;
}
