import { hasRenewed, renewedAt } from './change-at-renewal';
import { withEndOfChargedPeriod } from './end-of-charged-period';
import type { Instant } from './instant';
import { isRevertingPrice } from './provider-calls';
import type { ProviderIntent } from './provider-work';
import type { BilledFacts, ReconciledView } from './reconciled-view';

/**
 * Returns what a command's calls revealed besides the command's own effect: a renewal, a failed payment, the payment of
 * an overdue one, the early end of a trial, or an end set at the provider. Null if nothing. A repair takes over
 * everything that its provider shows.
 *
 * @param facts what the provider shows after the calls
 */
export function unreadFacts<F extends BilledFacts>(
  before: ReconciledView,
  intent: ProviderIntent,
  facts: F,
): F | null {
  if (intent.kind === 'repair') return null;
  return unreadRenewal(before, intent, facts) ?? unreadState(before, intent, facts);
}

/**
 * Returns when what came to light happened. The provider's clock may be ahead: if it has begun the next period, the
 * current one is over, and its scheduled change is due. A trial that was ended early is not at its former end.
 *
 * @param unread result of `unreadFacts`
 */
export function timeOfUnread(before: ReconciledView, unread: BilledFacts, now: Instant): Instant {
  return hasRenewed(before, unread) ? Math.max(now, renewedAt(before, unread)) : now;
}

function unreadRenewal<F extends BilledFacts>(
  before: ReconciledView,
  intent: ProviderIntent,
  facts: F,
): F | null {
  const { currentPeriodEnd } = withEndOfChargedPeriod(before, facts);
  const read = { ...facts, currentPeriodEnd };
  if (isRevertingPrice(before.work) || !hasRenewed(before, read)) return null;
  const planReference = 'to' in intent ? null : facts.planReference;
  return { ...read, planReference, ...endBeside(intent, before, facts) };
}

/**
 * Returns whether the current period is paid, whether a trial was ended early, and whether the subscription ends. A
 * webhook that reports it later finds no difference any more.
 */
function unreadState<F extends BilledFacts>(
  before: ReconciledView,
  intent: ProviderIntent,
  facts: F,
): F | null {
  const { status } = before;
  const isTrialOver = status === 'trialing' && (facts.status === 'active' || facts.status === 'past_due');
  const isPaidOrNot =
    (status === 'active' && facts.status === 'past_due') ||
    (status === 'past_due' && facts.status === 'active');
  const end = endBeside(intent, before, facts);
  const { cancelAtPeriodEnd, cancelAt = null } = before;
  const isEndMoved = end.cancelAtPeriodEnd !== cancelAtPeriodEnd || end.cancelAt !== cancelAt;
  if (!isTrialOver && !isPaidOrNot && !isEndMoved) return null;
  const period = isTrialOver ? {} : { currentPeriodStart: null, currentPeriodEnd: null };
  return { ...facts, planReference: null, ...period, ...end };
}

/** Returns the end that the provider names. A command that sets or clears the end reports that itself. */
function endBeside(
  { kind }: ProviderIntent,
  before: ReconciledView,
  facts: BilledFacts,
): { cancelAtPeriodEnd: boolean; cancelAt: Instant | null } {
  const { cancelAtPeriodEnd, cancelAt = null } = kind === 'cancel' || kind === 'reactivate' ? before : facts;
  return { cancelAtPeriodEnd, cancelAt };
}
