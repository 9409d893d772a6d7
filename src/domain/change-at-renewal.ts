import { hasEnded } from './subscription-types';
import type { ScheduledTerms } from './change-types';
import type { Instant } from './instant';
import { chargedAt, unitAmountOfChange, unitAmountOfRenewal } from './price-of-charge';
import { periodPrice } from './proration';
import { isRevertingPrice } from './provider-calls';
import { isSamePlanAndSeats } from './same-plan-and-seats';
import { endsLaterPeriod, SAME_MS } from './provider-facts';
import { quantityAtProvider } from './provider-quantity';
import type { BilledFacts, Consequence, ReconciledView } from './reconciled-view';
import { stepsInDoubt, type SyncMarker } from './synchronizer-marker';

/** Whether the provider is in a later period than the one stored here. */
export function hasRenewed(view: ReconciledView, facts: BilledFacts): boolean {
  const { status, currentPeriodStart: start, currentPeriodEnd: end } = facts;
  if (status === 'incomplete' || hasEnded(status)) return false;
  if (view.status === 'incomplete' || end === null || end <= view.currentPeriodEnd) return false;
  if (start === null) return endsLaterPeriod(view, end);
  return (
    start < end && (renewedAt(view, facts) === view.currentPeriodEnd || isRenewedEarly(view, facts, start))
  );
}

/** Returns when the provider's later period has begun: at the end of the one stored here, unless it says earlier. */
export function renewedAt(
  { currentPeriodEnd }: Pick<ReconciledView, 'currentPeriodEnd'>,
  { currentPeriodStart: start }: Pick<BilledFacts, 'currentPeriodStart'>,
): Instant {
  return start === null || start > currentPeriodEnd - SAME_MS ? currentPeriodEnd : start;
}

/**
 * Whether a period has begun before the end of ours on the terms that provider A was prepared for: its merchant has
 * reset the billing cycle, or ended the trial, in the hours between. A trial is no renewal.
 */
function isRenewedEarly(view: ReconciledView, facts: BilledFacts, start: Instant): boolean {
  if (view.provider !== 'provider_a' || facts.status === 'trialing') return false;
  if (start < view.currentPeriodStart + SAME_MS) return false;
  return isKnownToProvider(view, facts) && facts.planReference === view.work.sync?.planReference;
}

/**
 * Whether a renewal's charge may show which terms it was made for, which the charge for the current period then helps
 * to determine: if the plan's price has changed, or a change is waiting at provider B, whose customer may approve late.
 */
export function needsChargeOfPeriod(view: ReconciledView, facts: BilledFacts): boolean {
  const { provider, scheduled, work, unitAmount, planUnitAmount } = view;
  const isWaiting = scheduled !== null || work.request !== null || work.dropped.length > 0;
  const isOneOfTwo = unitAmount !== planUnitAmount || (provider === 'provider_b' && isWaiting);
  return facts.lastPayment !== undefined && isOneOfTwo && hasRenewed(view, facts);
}

/**
 * Applies the provider's renewal together with the scheduled change that it brings: provider A's prepared one or
 * provider B's confirmed one. Null while the change has to wait for the end of our own period, if the provider's has not
 * begun earlier, or for the outcome of its withdrawal.
 */
export function withRenewal<V extends ReconciledView>(
  view: V,
  facts: BilledFacts,
  now: Instant,
  consequences: Consequence[],
): V | null {
  const { scheduled } = view;
  const work = { ...view.work, sync: null };
  const asBilled = { ...view, work, unitAmount: unitAmountOfRenewal(view, facts) };
  if (scheduled === null) return asBilled;
  if (now < renewedAt(view, facts) || isRevertingPrice(view.work)) return null;
  if (!isKnownToProvider(view, facts)) {
    consequences.push({ kind: 'unprepared', terms: scheduled });
    return { ...asBilled, work: { ...work, sync: missed(view, scheduled, facts, now) } };
  }
  if (isUndone(view, scheduled, facts)) {
    consequences.push({ kind: 'undone', terms: scheduled });
    return asBilled;
  }
  // A change approved after this renewal takes effect with the next one, which is charged for it.
  const brought = { ...scheduled, unitAmount: unitAmountOfChange(view, scheduled, facts) };
  if (wasChargedForNow(view, brought, facts)) return asBilled;
  consequences.push({ kind: 'applied', terms: brought });
  const { planId, planSlug, seats, unitAmount, pricing, interval } = brought;
  const { unitAmount: planUnitAmount } = scheduled;
  const terms = { planId, planSlug, seats, unitAmount, pricing, interval, planUnitAmount };
  const nextPeriodIsFree = unitAmount === 0n;
  const done = { ...work, confirmed: null };
  return { ...view, ...terms, work: done, nextPeriodIsFree, scheduled: null, scheduledInterval: null };
}

/**
 * Returns the instant from which a change that came with a renewal counts. However late the renewal is reported, the
 * former terms apply only before the new period.
 */
export function appliedFrom(before: Period, after: Period, now: Instant): Instant {
  const hasBegun = after.currentPeriodStart > before.currentPeriodStart;
  return Math.min(now, hasBegun ? renewedAt(before, after) : before.currentPeriodEnd);
}

type Period = Pick<ReconciledView, 'currentPeriodStart' | 'currentPeriodEnd'>;

/**
 * Whether provider A no longer bills what it was prepared for, or provider B what its customer confirmed, because the
 * subscription was changed there.
 */
function isUndone(
  { work: { sync, confirmed } }: ReconciledView,
  scheduled: ScheduledTerms,
  facts: BilledFacts,
): boolean {
  const agreed = sync ?? confirmed;
  if (agreed === null || !isSamePlanAndSeats(agreed, scheduled) || facts.planReference === null) return false;
  return (
    facts.planReference !== agreed.planReference || (facts.quantity ?? 1) !== quantityAtProvider(scheduled)
  );
}

/**
 * Whether the renewal was charged at the price of the current terms: provider B's customer may approve a change after
 * the renewal, and both arrive together. A charge at neither price is inconclusive.
 */
function wasChargedForNow(view: ReconciledView, scheduled: ScheduledTerms, facts: BilledFacts): boolean {
  const isChargedAt = chargedAt(view, facts);
  if (isChargedAt === null) return false;
  return pricesOfNow(view).some(isChargedAt) && !isChargedAt(periodPrice(scheduled));
}

/** Returns what a period costs on the current terms, by the price of this period and by that of the plan. */
export function pricesOfNow(view: ReconciledView): bigint[] {
  return [periodPrice(view), periodPrice({ ...view, unitAmount: view.planUnitAmount })];
}

/** A call to provider A may have succeeded without an answer; then its subscription shows the change. */
function isKnownToProvider(
  { provider, work: { sync }, scheduled }: ReconciledView,
  facts: BilledFacts,
): boolean {
  if (provider !== 'provider_a') return true;
  if (sync === null || scheduled === null || !isSamePlanAndSeats(sync, scheduled)) return false;
  if (sync.late === true) return false;
  if (sync.state === 'prepared') return true;
  return facts.planReference === sync.planReference && facts.quantity === quantityAtProvider(scheduled);
}

/** A plan reference belongs to its plan, so one that was sent for other terms is not kept. */
function missed(
  { currentPeriodEnd: boundary, work: { sync } }: ReconciledView,
  { planId, planSlug: plan, seats }: ScheduledTerms,
  { currentPeriodEnd }: BilledFacts,
  now: Instant,
): SyncMarker {
  const reason = sync?.reason ?? 'The renewal came before the change was sent to the payment provider.';
  return {
    state: 'failed',
    planId,
    plan,
    seats,
    planReference: sync !== null && isSamePlanAndSeats(sync, { planId, seats }) ? sync.planReference : '',
    boundary: currentPeriodEnd ?? boundary,
    attempts: sync?.attempts ?? 0,
    told: sync?.told ?? false,
    sentAt: sync?.told === true ? stepsInDoubt(sync) : undefined,
    ownReference: sync?.ownReference,
    at: now,
    reason,
    retryAt: null,
  };
}
