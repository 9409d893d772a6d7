import { planInWords } from './plain-words';
import type { BillingInterval, Provider } from './subscription-types';

/** What a scheduled change is said by. `scheduledInterval` is that of its plan. */
export interface ScheduledChangeView {
  provider: Provider;
  planSlug: string;
  interval: BillingInterval;
  scheduled: { planSlug: string; seats: number } | null;
  scheduledInterval: BillingInterval | null;
}

/** What comes with the next renewal: "downgrade to starter × 3", "decrease to 3 seats"; null when nothing does. */
export function scheduledChangeInWords(view: ScheduledChangeView): string | null {
  const { scheduled } = view;
  if (scheduled === null) return null;
  if (scheduled.planSlug === view.planSlug) {
    return `decrease to ${scheduled.seats} ${scheduled.seats === 1 ? 'seat' : 'seats'}`;
  }
  // Another interval waits whatever it costs, and so does all that provider B's customers have to confirm.
  const direction =
    view.scheduledInterval === view.interval && view.provider !== 'provider_b' ? 'downgrade' : 'change';
  return `${direction} to ${planInWords(scheduled)}`;
}
