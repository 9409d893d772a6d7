import { displayPlan } from './display-text';
import type { BillingInterval } from './subscription-types';
import type { Provider } from './provider';

/** What a scheduled change is said by. `scheduledInterval` is that of its plan. */
export interface ScheduledChangeView {
  provider: Provider;
  planSlug: string;
  seats: number;
  interval: BillingInterval;
  /** Left out where it always renews. */
  cancelAtPeriodEnd?: boolean;
  scheduled: { planSlug: string; seats: number } | null;
  scheduledInterval: BillingInterval | null;
}

/**
 * What comes with the next renewal: "downgrade to starter × 3", "decrease to 3 seats"; null when nothing does, or when
 * there is none.
 */
export function displayScheduledChange(view: ScheduledChangeView): string | null {
  const { scheduled } = view;
  if (scheduled === null || view.cancelAtPeriodEnd === true) return null;
  if (scheduled.planSlug === view.planSlug) {
    const direction = scheduled.seats > view.seats ? 'increase' : 'decrease';
    return `${direction} to ${scheduled.seats} ${scheduled.seats === 1 ? 'seat' : 'seats'}`;
  }
  // Another interval waits whatever it costs, and so does all that provider B's customers have to confirm.
  const direction =
    view.scheduledInterval === view.interval && view.provider !== 'provider_b' ? 'downgrade' : 'change';
  return `${direction} to ${displayPlan(scheduled)}`;
}
