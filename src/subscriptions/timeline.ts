import type { Instant } from '../domain/instant';
import { agreedAmount } from '../domain/price-of-charge';
import type { LifecycleStep } from '../domain/lifecycle';
import type { Money } from '../domain/money';
import { displayMoney, displayPlan } from '../domain/display-text';
import { periodPrice, type PeriodTerms } from '../domain/proration';
import { displayScheduledChange } from '../domain/display-scheduled-change';
import { applyTax, taxChargedHere, type TaxSnapshot } from '../domain/tax';
import { isReadEarly } from '../domain/provider-lifecycle';
import { paidUntil } from '../domain/subscription-access';
import { upcomingSteps } from '../domain/upcoming-steps';
import type { BilledSubscription } from './billed-subscription';

/** Maximum number of predicted steps: a year of months. */
const MAX_UPCOMING = 12;

/** An upcoming step in words; `estimate` is what it will charge, tax included. */
export interface UpcomingEntry {
  at: Instant;
  kind: LifecycleStep | 'scheduled_change';
  message: string;
  estimate: Money | null;
}

type Terms = Omit<PeriodTerms, 'planId'>;

/**
 * Predicts the time steps of a subscription if no further command arrives, earliest first. A payment provider's steps
 * are predicted from our calendar and prices.
 *
 * @param tax at the end of the current period as far as it is known today, for local billing
 */
export function upcomingOf(
  subscription: BilledSubscription,
  tax: TaxSnapshot,
  now: Instant,
): UpcomingEntry[] {
  let scheduled = displayScheduledChange(subscription);
  let isEarly = isReadEarly(subscription);
  const suspendedFrom = paidUntil(subscription, now);
  const taxed = taxChargedHere(subscription.provider, tax);
  const charging = (at: Instant, kind: LifecycleStep, what: string, terms: Terms): UpcomingEntry => {
    const plan = displayPlan(terms);
    const estimate = {
      amount: applyTax(periodPrice(terms), taxed).total,
      currency: subscription.currency,
    };
    return { at, kind, message: `${what} ${plan} for ${displayMoney(estimate)}`, estimate };
  };
  /** The first renewal brings the scheduled change. */
  const renewing = (at: Instant, kind: LifecycleStep, what: string): UpcomingEntry[] => {
    const renewal = charging(at, kind, what, renewalTerms(subscription));
    if (scheduled === null) return [renewal];
    const message = capitalized(scheduled);
    scheduled = null;
    return [{ at, kind: 'scheduled_change', message, estimate: null }, renewal];
  };
  const entries = upcomingSteps(subscription, now, MAX_UPCOMING).flatMap(
    ({ at, step, view }): UpcomingEntry[] => {
      const plain = (message: string): UpcomingEntry[] => [{ at, kind: step, message, estimate: null }];
      switch (step) {
        case 'end_trial':
          // A subscription that began with a trial pays the price offered then.
          return [charging(at, step, 'First paid period of', subscription)];
        case 'turn_period':
          return renewing(at, step, 'Renews');
        case 'read_back':
          if (isEarly) {
            isEarly = false;
            return plain('The subscription is checked at the payment provider');
          }
          if (view.status === 'cancelled') return plain('Ends');
          // When payments are resumed, and what is charged then, is not known.
          if (suspendedFrom !== null) {
            return at > suspendedFrom
              ? []
              : plain('The paid period ends; the payment provider renews it only if payments are resumed');
          }
          return renewing(at, step, 'The payment provider renews');
        case 'prepare_change':
          return plain('The scheduled change is sent to the payment provider');
        case 'check_approval':
          return plain(
            view.work.request === null
              ? 'The change is dropped because the customer has not approved it'
              : 'The customer’s approval is checked at the payment provider',
          );
        case 'read_past_due':
          return plain('The past-due payment is checked at the payment provider, and again until it is paid');
        case 'settle_call':
          return plain('The last request to the payment provider is retried');
        case 'become_past_due':
          return plain('Becomes past due if nothing is paid');
        case 'expire':
          return plain('Expires if nothing is paid');
        case 'expire_checkout':
          return plain('The checkout expires if nothing is paid');
      }
    },
  );
  return entries.slice(0, MAX_UPCOMING);
}

/**
 * Returns the terms of the next renewal. Local billing charges the plan's price at that time, for which today's price
 * is the best estimate. A payment provider continues to charge its current price, or the one that its customer has
 * approved.
 */
function renewalTerms(subscription: BilledSubscription): Terms {
  const { provider, scheduled, planSlug, seats, pricing, planUnitAmount } = subscription;
  if (scheduled !== null) {
    return { ...scheduled, unitAmount: agreedAmount(subscription, scheduled) ?? scheduled.unitAmount };
  }
  const unitAmount = provider === 'internal' ? planUnitAmount : subscription.unitAmount;
  return { planSlug, seats, pricing, unitAmount };
}

function capitalized(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
