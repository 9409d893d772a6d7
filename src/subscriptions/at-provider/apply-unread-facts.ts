import type { Times } from '../../clock/times';
import type { DbTransaction } from '../../db/pools';
import { hasRenewed } from '../../domain/change-at-renewal';
import { withEndOfChargedPeriod } from '../../domain/end-of-charged-period';
import { isRevertingPrice } from '../../domain/provider-calls';
import type { ProviderIntent } from '../../domain/provider-work';
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
 * Applies, in the open transaction, a renewal, a failed payment, the payment of an overdue one, the early end of a trial
 * or an end set at the provider that first comes to light with a command, as a reading would: records its event, and the
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
  if (connectionId === null || intent.kind === 'repair') return before;
  const unread = unreadRenewal(before, intent, facts) ?? unreadState(before, intent, facts);
  if (unread === null) return before;
  // The provider's clock may be ahead. If it has ended the period, the scheduled change is due.
  const now = unread.currentPeriodEnd === null ? times.now : Math.max(times.now, before.currentPeriodEnd);
  await reconciler.applyReading(
    trx,
    { scope, id: connectionId, provider: provider.adapter.provider },
    { subscription: unread, payment: null, references: [], seen: { subscriptionId: id, version } },
    { ...times, adapter: provider.adapter, now },
  );
  return (await findBilledSubscription(trx, scope, id, 'lock')) ?? before;
}

function unreadRenewal(
  before: BilledSubscription,
  intent: ProviderIntent,
  facts: SubscriptionFacts,
): SubscriptionFacts | null {
  const { work } = before;
  const { currentPeriodEnd } = withEndOfChargedPeriod(before, facts);
  const read = { ...facts, currentPeriodEnd };
  if (isRevertingPrice(work) || !hasRenewed(before, read)) return null;
  const planReference = 'to' in intent ? null : facts.planReference;
  return { ...read, planReference, ...endBeside(intent, before, facts) };
}

/**
 * Returns whether the current period is paid, whether a trial was ended early, and whether the subscription ends. A
 * webhook that reports it later finds no difference any more.
 */
function unreadState(
  before: BilledSubscription,
  intent: ProviderIntent,
  facts: SubscriptionFacts,
): SubscriptionFacts | null {
  const { status } = before;
  const isTrialOver = status === 'trialing' && (facts.status === 'active' || facts.status === 'past_due');
  const isPaidOrNot =
    (status === 'active' && facts.status === 'past_due') ||
    (status === 'past_due' && facts.status === 'active');
  const end = endBeside(intent, before, facts);
  const isEndMoved = end.cancelAtPeriodEnd !== before.cancelAtPeriodEnd || end.cancelAt !== before.cancelAt;
  if (!isTrialOver && !isPaidOrNot && !isEndMoved) return null;
  const period = isTrialOver ? {} : { currentPeriodStart: null, currentPeriodEnd: null };
  return { ...facts, planReference: null, ...period, ...end };
}

/** Returns the end that the provider names. A command that sets or clears the end reports that itself. */
function endBeside(
  { kind }: ProviderIntent,
  before: BilledSubscription,
  facts: SubscriptionFacts,
): Pick<BilledSubscription, 'cancelAtPeriodEnd' | 'cancelAt'> {
  const { cancelAtPeriodEnd, cancelAt = null } = kind === 'cancel' || kind === 'reactivate' ? before : facts;
  return { cancelAtPeriodEnd, cancelAt };
}
