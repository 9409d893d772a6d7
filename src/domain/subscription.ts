import { TollgateError } from './errors';
import type { Instant } from './instant';
import { calendarPeriodAt, calendarPeriodContaining } from './period';
import type { BillingInterval, Pricing } from './subscription-types';

export * from './subscription-types';
export {
  accessStatusOf,
  accessStatusThen,
  type AccessStatusView,
  type PastDuePolicy,
} from './subscription-access';

/** The fields of a plan needed to open a subscription. `price.amount` is in minor units, per seat if `per_seat`. */
export interface OfferedPlan {
  id: string;
  slug: string;
  planGroupId: string;
  price: { amount: bigint; currency: string };
  interval: BillingInterval;
  pricing: Pricing;
  trialDays: number;
  archived: boolean;
}

/** A new subscription at its plan's current price; a later edit of the plan applies from the next renewal. */
export interface OpenedSubscription {
  planId: string;
  planGroupId: string;
  status: 'trialing' | 'active';
  startedAt: Instant;
  billingAnchor: Instant;
  timeZone: string;
  trialEnd: Instant | null;
  currentPeriodStart: Instant;
  currentPeriodEnd: Instant;
  seats: number;
  unitAmount: bigint;
  currency: string;
  interval: BillingInterval;
  pricing: Pricing;
}

/**
 * Opens a subscription on a plan at `now`. A trial lasts `trialDays` days of the zone's calendar, and billing is
 * anchored at its end; otherwise billing is anchored at `anchor`, or at `now`. A future anchor creates a first period
 * up to it, which may not be longer than a whole one.
 * @throws TollgateError plan_archived, or validation_failed (`/seats`, `/anchor`).
 */
export function openSubscription(input: {
  plan: OfferedPlan;
  seats: number;
  anchor?: Instant;
  timeZone: string;
  now: Instant;
}): OpenedSubscription {
  const { plan, seats, timeZone, now } = input;
  if (plan.archived) {
    throw new TollgateError('plan_archived', `The plan "${plan.slug}" is archived.`);
  }
  if (!Number.isSafeInteger(seats) || seats < 1) {
    throw invalid('/seats', 'Seats must be a whole number of at least 1.', 'Send the number of seats.');
  }
  const trialEnd = plan.trialDays > 0 ? trialEndOf(plan.trialDays, timeZone, now) : null;
  const billingAnchor = trialEnd ?? input.anchor ?? now;
  const period = firstPeriod({ interval: plan.interval, anchor: billingAnchor, timeZone }, now, trialEnd);
  return {
    planId: plan.id,
    planGroupId: plan.planGroupId,
    status: trialEnd === null ? 'active' : 'trialing',
    startedAt: now,
    billingAnchor,
    timeZone,
    trialEnd,
    currentPeriodStart: period.start,
    currentPeriodEnd: period.end,
    seats,
    unitAmount: plan.price.amount,
    currency: plan.price.currency,
    interval: plan.interval,
    pricing: plan.pricing,
  };
}

/**
 * Returns the same wall-clock time, `trialDays` days later: a trial from noon ends at noon, even across clock changes.
 */
function trialEndOf(trialDays: number, timeZone: string, now: Instant): Instant {
  return calendarPeriodAt({ anchor: now, timeZone, interval: 'day' }, trialDays).start;
}

function firstPeriod(
  rhythm: { interval: BillingInterval; anchor: Instant; timeZone: string },
  now: Instant,
  trialEnd: Instant | null,
): { start: Instant; end: Instant } {
  const { interval, anchor } = rhythm;
  if (now >= anchor) return calendarPeriodContaining(rhythm, now);
  // Otherwise a new subscriber could have years for the price of one period.
  if (trialEnd === null && anchor > calendarPeriodAt({ ...rhythm, anchor: now }, 1).start) {
    throw invalid(
      '/anchor',
      `The anchor lies more than one ${interval} ahead.`,
      `Send an anchor within one ${interval} from now.`,
    );
  }
  return { start: now, end: anchor };
}

function invalid(pointer: string, message: string, fix: string): TollgateError {
  return new TollgateError('validation_failed', message, { errors: [{ pointer, message, fix }] });
}
