import { capabilitiesOf } from './capabilities';
import { requireCapability } from './require-capability';
import { directionOf, type ChangeDirection } from './change-direction';
import { requireChangeable, confirmedChangeUndoneBy } from './change-refusals';
import { stepsInWords } from './change-steps';
import { draftProration } from './change-transaction';
import type { ChangeableSubscription, ChangeEffective, ChangePlan, PlanAndSeats } from './change-types';
import { needsConfirmation } from './needs-confirmation';
import type { Instant } from './instant';
import type { PeriodTerms } from './proration';
import { isSamePlanAndSeats } from './same-plan-and-seats';
import type { OfferedPlan } from './subscription';
import { hasEnded, type BillingInterval } from './subscription-types';

export type * from './change-types';

/**
 * Judges a change and works out its effects. The subscription has taken every step that is due by `now`. A change of
 * seats on the same plan is priced by the current period's snapshot, whatever the plan costs now; another plan costs
 * its current price.
 *
 * @param target the plan of the request, or the subscription's own if only seats change
 * @throws TollgateError capability_unavailable, capability_unsupported, plan_currency_differs, plan_group_differs,
 * plan_archived, validation_failed (`/seats`), change_without_effect, interval_change_unsupported
 */
export function planChange(
  subscription: ChangeableSubscription,
  target: OfferedPlan,
  seats: number,
  now: Instant,
): ChangePlan {
  const differsFrom = confirmedChangeUndoneBy(subscription, target, seats) ?? subscription;
  const capabilities = capabilitiesOf(subscription, now);
  if (target.id !== differsFrom.planId) requireCapability('planChange', capabilities);
  if (seats !== differsFrom.seats) requireCapability('seatChange', capabilities);
  // An ended subscription is refused for that reason, even if the request changes nothing.
  if (hasEnded(subscription.status)) requireCapability('planChange', capabilities);
  requireChangeable(subscription, target, seats);

  const [from, to] = [termsOf(subscription), targetTerms(subscription, target, seats)];
  const direction = directionOf(
    { ...from, interval: subscription.interval },
    { ...to, interval: target.interval },
  );
  const effective = effectiveOf(subscription, direction, target, seats);
  const withdrawn = withdrawnBy(subscription, effective, to);
  const transaction = effective === 'immediate' ? draftProration(subscription, from, to, now) : null;
  const plan: Omit<ChangePlan, 'steps'> = {
    direction,
    effective,
    effectiveAt: effective === 'immediate' ? now : subscription.currentPeriodEnd,
    from: planAndSeats(from),
    to: planAndSeats(to),
    target,
    withdraws: withdrawn[0] ?? null,
    transaction,
    requiresCustomerAction: effective === 'after_confirmation',
    policyVersion: transaction?.proration?.policyVersion ?? null,
    estimated: subscription.provider === 'provider_a' && transaction !== null,
  };
  return { ...plan, steps: stepsInWords(subscription, plan, withdrawn) };
}

/**
 * Returns the terms that an immediate change writes. Only in a trial does another interval begin immediately; the end
 * of the trial does not change.
 */
export function applyImmediateChange(
  subscription: ChangeableSubscription,
  plan: ChangePlan,
): PeriodTerms & { interval: BillingInterval } {
  const terms = targetTerms(subscription, plan.target, plan.to.seats);
  return { ...terms, interval: plan.target.interval };
}

function effectiveOf(
  subscription: ChangeableSubscription,
  direction: ChangeDirection,
  target: OfferedPlan,
  seats: number,
): ChangeEffective {
  const { provider, status, interval } = subscription;
  if (provider === 'provider_b') {
    const to = { planId: target.id, seats, pricing: target.pricing };
    return needsConfirmation(subscription, to) ? 'after_confirmation' : 'next_renewal';
  }
  if (provider === 'internal' && status === 'trialing') return 'immediate';
  if (target.interval !== interval) return 'next_renewal';
  return direction === 'upgrade' || direction === 'seat_increase' ? 'immediate' : 'next_renewal';
}

function termsOf({ planId, planSlug, seats, unitAmount, pricing }: PeriodTerms): PeriodTerms {
  return { planId, planSlug, seats, unitAmount, pricing };
}

function targetTerms(subscription: ChangeableSubscription, target: OfferedPlan, seats: number): PeriodTerms {
  if (target.id === subscription.planId) return { ...termsOf(subscription), seats };
  const { id: planId, slug: planSlug, pricing } = target;
  return { planId, planSlug, seats, unitAmount: target.price.amount, pricing };
}

function planAndSeats({ planId, planSlug, seats }: PlanAndSeats): PlanAndSeats {
  return { planId, planSlug, seats };
}

/**
 * Returns the changes that no longer come, the scheduled one first. Scheduling the same change again withdraws nothing.
 * At provider B a change replaces one that its customer has yet to approve; what is scheduled remains until the new
 * change is confirmed.
 */
function withdrawnBy(
  { scheduled, requested = null }: ChangeableSubscription,
  effective: ChangeEffective,
  to: PlanAndSeats,
): PlanAndSeats[] {
  const replaced = effective === 'after_confirmation' ? [requested] : [scheduled, requested];
  return replaced.flatMap((one) => (one === null || isSamePlanAndSeats(one, to) ? [] : [planAndSeats(one)]));
}
