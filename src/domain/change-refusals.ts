import { countInWords } from './count-in-words';
import { isConfirmedByCustomer } from './needs-confirmation';
import { TollgateError } from './errors';
import type { ChangeableSubscription, PlanAndSeats } from './change-types';
import type { OfferedPlan } from './subscription';

/**
 * Refuses a change that could not be billed or that changes nothing. Seats of an archived plan can still change,
 * because it takes no new subscriptions but keeps the existing ones.
 *
 * @throws TollgateError validation_failed (`/seats`), plan_currency_differs, plan_group_differs, plan_archived,
 * interval_change_unsupported, change_without_effect
 */
export function requireChangeable(
  subscription: ChangeableSubscription,
  target: OfferedPlan,
  seats: number,
): void {
  requireWholeSeats(seats);
  if (target.id === subscription.planId) {
    const isSame = seats === subscription.seats;
    if (isSame && confirmedChangeUndoneBy(subscription, target, seats) === null)
      throw withoutEffect(subscription);
    return;
  }
  if (target.price.currency !== subscription.currency) {
    throw new TollgateError(
      'plan_currency_differs',
      `The plan "${target.slug}" is in ${target.price.currency}, the subscription in ${subscription.currency}.`,
    );
  }
  if (target.planGroupId !== subscription.planGroupId) {
    throw new TollgateError(
      'plan_group_differs',
      `The plan "${target.slug}" is not in the plan group of "${subscription.planSlug}".`,
    );
  }
  if (target.archived) {
    throw new TollgateError('plan_archived', `The plan "${target.slug}" is archived.`);
  }
  if (subscription.provider === 'provider_a' && target.interval !== subscription.interval) {
    throw new TollgateError(
      'interval_change_unsupported',
      `The subscription is billed by the ${subscription.interval}, the plan "${target.slug}" by the ${target.interval}.`,
    );
  }
}

/**
 * Returns the change that provider B's customer has confirmed and that a change back to the current plan and seats
 * undoes: it cannot be withdrawn, so changing back is a change of its own. Null if there is none; any other scheduled
 * change is withdrawn instead.
 */
export function confirmedChangeUndoneBy(
  subscription: ChangeableSubscription,
  target: Pick<OfferedPlan, 'id'>,
  seats: number,
): PlanAndSeats | null {
  const isNow = target.id === subscription.planId && seats === subscription.seats;
  return isNow && isConfirmedByCustomer(subscription) ? subscription.scheduled : null;
}

function requireWholeSeats(seats: number): void {
  if (Number.isSafeInteger(seats) && seats >= 1) return;
  const message = 'Seats must be a whole number of at least 1.';
  throw new TollgateError('validation_failed', message, {
    errors: [{ pointer: '/seats', message, fix: 'Send the number of seats.' }],
  });
}

function withoutEffect({ planSlug, seats, scheduled }: ChangeableSubscription): TollgateError {
  const state = `The subscription is on "${planSlug}" with ${countInWords(seats, 'seat')} already`;
  return new TollgateError(
    'change_without_effect',
    scheduled === null ? `${state}.` : `${state}. To keep it, withdraw the scheduled change.`,
  );
}
