import type { Times } from '../../clock/times';
import type { DbTransaction } from '../../db/pools';
import { hasRenewed } from '../../domain/change-at-renewal';
import { isRevertingPrice } from '../../domain/provider-calls';
import type { ProviderIntent } from '../../domain/provider-work';
import { timeOfUnread, unreadFacts } from '../../domain/unread-facts';
import type { ConnectedProvider } from '../../connections/connected-providers';
import type { SubscriptionFacts } from '../../providers/canonical-event';
import type { WorkspaceScope } from '../../tenancy/actor';
import type { BilledSubscription } from '../billed-subscription';
import { findBilledSubscription } from '../billed-subscription-store';
import type { Reconciler } from './reconciler';

/** What a provider shows after a command's calls. */
interface UnreadFacts {
  scope: WorkspaceScope;
  provider: ConnectedProvider;
  /** Of the command. */
  intent: ProviderIntent;
  facts: SubscriptionFacts;
  times: Times;
}

/**
 * Applies, in the open transaction, what a command's calls revealed, as a reading would: records its event, and the
 * terms of a renewal count from the boundary. The command's own effect is not applied here.
 *
 * @param before its row is locked
 * @returns the updated row
 */
export async function applyUnreadFacts(
  trx: DbTransaction,
  reconciler: Reconciler,
  before: BilledSubscription,
  { scope, provider, intent, facts, times }: UnreadFacts,
): Promise<BilledSubscription> {
  const { id, connectionId, version } = before;
  const unread = unreadFacts(before, intent, facts);
  if (connectionId === null || unread === null) return before;
  const now = timeOfUnread(before, unread, times.now);
  await reconciler.applyReading(
    trx,
    { scope, id: connectionId, provider: provider.adapter.provider },
    { subscription: unread, payment: null, references: [], seen: { subscriptionId: id, version } },
    { ...times, adapter: provider.adapter, now },
  );
  return (await findBilledSubscription(trx, scope, id, 'lock')) ?? before;
}

/**
 * Records the renewal that came before the outcome of a command that reverts a prepared price. Until then it was
 * unknown on which terms it came, so it is not applied as above: the row has it from the command's own facts.
 *
 * @param before the row before the command's effect
 */
export async function recordUnreadRenewal(
  trx: DbTransaction,
  reconciler: Reconciler,
  before: BilledSubscription,
  {
    scope,
    facts,
    times,
    after,
  }: Pick<UnreadFacts, 'scope' | 'facts' | 'times'> & { after: BilledSubscription },
): Promise<void> {
  const { connectionId: id, provider } = before;
  if (id === null || provider === 'internal') return;
  if (!isRevertingPrice(before.work) || !hasRenewed(before, facts)) return;
  const { now, recordedAt } = times;
  const connection = { scope, id, provider };
  const occasion = { trx, connection, now: timeOfUnread(before, facts, now), recordedAt };
  await reconciler.recordRenewal(occasion, before, after);
}
