import type { ChangeKind } from '../../domain/announced-facts';
import { hasEnded } from '../../domain/subscription-types';
import { displayPlan } from '../../domain/display-text';
import { endsAt } from '../../domain/pending-cancellation';
import type { BilledSubscription } from '../../subscriptions/billed-subscription';
import type { SubscriptionEvent } from '../../subscriptions/subscription-history-store';

export type EventContent = Pick<SubscriptionEvent, 'kind' | 'type' | 'status' | 'message'>;

/** What the rows before and after do not show. */
interface EventOccasion {
  /** The open subscription because of which this one was not started. */
  openId: string | null;
  /** Whether the provider has suspended its payments, and none has failed. */
  isSuspended: boolean;
  /** Whether it ended after the last of a limited number of periods. */
  isCompleted?: boolean;
}

/**
 * Returns the events of what a provider's facts changed, in order; none if only values changed that no event reports,
 * such as the time of a failed payment.
 */
export function eventsOf(
  before: BilledSubscription,
  after: BilledSubscription,
  occasion: EventOccasion,
): EventContent[] {
  const who = `${after.externalId}'s ${displayPlan(after)}`;
  if (before.status === 'incomplete') return eventsOfStart(after, who, occasion);
  const found = [
    ...(hasTurned(before, after) ? [turned(after, who)] : []),
    ...eventsOfStatus(before, after, who, occasion),
    ...(hasEnded(after.status) ? [] : eventsOfEnd(before, after, who)),
  ];
  const isMoved =
    before.currentPeriodStart !== after.currentPeriodStart ||
    before.currentPeriodEnd !== after.currentPeriodEnd;
  if (found.length > 0 || !isMoved) return found;
  return [changed('provider_changed', `The payment provider moved the period of ${who}.`)];
}

function changed(kind: ChangeKind, message: string): EventContent {
  return { kind, type: 'SUBSCRIPTION_CHANGED', status: 'OK', message };
}

/**
 * Whether the next period has begun. The first one after a trial is reported as the trial's end. Not a renewal: a trial
 * that the provider grants later, a later end of the same period, and B's first period if it is reported only after a
 * late payment.
 */
function hasTurned(before: BilledSubscription, after: BilledSubscription): boolean {
  if (before.status === 'trialing' || after.status === 'trialing') return false;
  return (
    after.startedAt < after.currentPeriodStart &&
    before.currentPeriodStart < after.currentPeriodStart &&
    before.currentPeriodEnd < after.currentPeriodEnd
  );
}

function turned({ currentPeriodEnd }: BilledSubscription, who: string): EventContent {
  const end = new Date(currentPeriodEnd).toISOString();
  return changed('period_turned', `The payment provider renewed ${who}; the period lasts until ${end}.`);
}

function eventsOfStatus(
  before: BilledSubscription,
  after: BilledSubscription,
  who: string,
  { isSuspended, isCompleted = false }: EventOccasion,
): EventContent[] {
  if (before.status === after.status) return [];
  const trialEnded =
    before.status === 'trialing' ? [changed('trial_ended', `The trial of ${who} ended.`)] : [];
  switch (after.status) {
    case 'cancelled':
      return [
        isCompleted
          ? changed('cancelled', `${who} ended at the payment provider after its last billing cycle.`)
          : changed('cancelled', `${who} was cancelled at the payment provider.`),
      ];
    case 'expired':
      return [changed('expired', `${who} ended unpaid at the payment provider.`)];
    case 'past_due':
      return [...trialEnded, becamePastDue(after, who, isSuspended)];
    case 'active':
      if (before.status !== 'past_due') return trialEnded;
      return [changed('recovered', `${who} is active again: nothing is overdue at the payment provider.`)];
    default:
      return [changed('provider_changed', `${who} is ${after.status} at the payment provider.`)];
  }
}

function becamePastDue(
  { pastDueSince, currentPeriodEnd }: BilledSubscription,
  who: string,
  isSuspended: boolean,
): EventContent {
  if (!isSuspended)
    return changed('became_past_due', `The payment provider could not collect the payment for ${who}.`);
  const until = new Date(pastDueSince ?? currentPeriodEnd).toISOString();
  const message = `The payments of ${who} are suspended at the payment provider; it is paid until ${until}.`;
  return changed('became_past_due', message);
}

/** A command that cancels or reactivates records that itself. An end that was known before a renewal is no news. */
function eventsOfEnd(before: BilledSubscription, after: BilledSubscription, who: string): EventContent[] {
  const [was, is] = [endsAt(before), endsAt(after)];
  if (was === is || before.work.unsettled?.intent.kind === (is === null ? 'reactivate' : 'cancel')) return [];
  const isKnown = was !== null && is !== null && before.cancelAt === after.cancelAt;
  if (isKnown && hasTurned(before, after)) return [];
  if (before.cancelAtPeriodEnd && !after.cancelAtPeriodEnd)
    return [changed('reactivated', `${who} renews again.`)];
  if (is === null) return [changed('reactivated', `${who} renews again without an end date.`)];
  if (after.cancelAtPeriodEnd && !before.cancelAtPeriodEnd)
    return [changed('cancel_scheduled', `${who} no longer renews.`)];
  const end = new Date(is).toISOString();
  return [changed('cancel_scheduled', `${who} ends at ${end} at the payment provider.`)];
}

function eventsOfStart(
  after: BilledSubscription,
  who: string,
  { openId, isSuspended }: EventOccasion,
): EventContent[] {
  const created = { type: 'SUBSCRIPTION_CREATED' } as const;
  if (openId !== null) {
    const message = `${who} is paid at the payment provider but was not started, because ${openId} in its plan group is open.`;
    return [{ ...created, kind: 'activation_refused', status: 'ERROR', message }];
  }
  if (hasEnded(after.status)) {
    // Only an expired one is known to be unpaid.
    const before = after.status === 'cancelled' ? 'it began here' : 'it was paid';
    const message = `${who} ended at the payment provider before ${before}.`;
    return [changed('checkout_expired', message)];
  }
  const why = after.status === 'active' ? ': the payment provider collected the payment.' : '.';
  const activated = { ...created, kind: 'activated', status: 'OK', message: `${who} begins${why}` } as const;
  // Its first reading came after a payment had failed.
  return after.status === 'past_due' ? [activated, becamePastDue(after, who, isSuspended)] : [activated];
}
