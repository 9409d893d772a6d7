import { countInWords } from './count-in-words';
import { displayPlan } from './display-text';
import type { BillingInterval } from './subscription-types';
import type { Provider } from './provider';

/** Inputs for describing a scheduled change. `scheduledInterval` is the interval of its plan. */
export interface ScheduledChangeView {
  provider: Provider;
  planSlug: string;
  seats: number;
  interval: BillingInterval;
  /** Omitted if it always renews. */
  cancelAtPeriodEnd?: boolean;
  scheduled: { planSlug: string; seats: number } | null;
  scheduledInterval: BillingInterval | null;
}

/**
 * Describes the change at the next renewal: "downgrade to starter × 3", "decrease to 3 seats". Null if nothing changes
 * or the subscription does not renew.
 */
export function displayScheduledChange(view: ScheduledChangeView): string | null {
  const { scheduled } = view;
  if (scheduled === null || view.cancelAtPeriodEnd === true) return null;
  if (scheduled.planSlug === view.planSlug) {
    const direction = scheduled.seats > view.seats ? 'increase' : 'decrease';
    return `${direction} to ${countInWords(scheduled.seats, 'seat')}`;
  }
  // A change of interval waits for the renewal at any price, and so does every change that provider B's customers have
  // to confirm, so neither need be a downgrade.
  const direction =
    view.scheduledInterval === view.interval && view.provider !== 'provider_b' ? 'downgrade' : 'change';
  return `${direction} to ${displayPlan(scheduled)}`;
}
