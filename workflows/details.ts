import { dateOfWallClock } from '../src/domain/civil-date';
import type { Instant } from '../src/domain/instant';
import { wallClockAt } from '../src/domain/zone';
import type { SubscriptionView } from './activity-types';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Where a subscription stands, as an operator reads it in Temporal: "Active on pro × 5, renews 31 Dec 2026". */
export function describe(view: SubscriptionView, next: Instant): string {
  const plan = view.seats === 1 ? view.planSlug : `${view.planSlug} × ${view.seats}`;
  const day = dayIn(view.timeZone, next);
  switch (view.status) {
    case 'trialing':
      return `In trial on ${plan}, first paid period from ${day}`;
    case 'past_due':
      return `Past due on ${plan}, period ends ${day}`;
    case 'active':
      return `Active on ${plan}, renews ${day}`;
    case 'incomplete':
    case 'cancelled':
    case 'expired':
      return `${view.status} on ${plan}`;
  }
}

function dayIn(timeZone: string, instant: Instant): string {
  const { year, month, day } = dateOfWallClock(wallClockAt(timeZone, instant));
  return `${day} ${MONTHS[month - 1] ?? ''} ${year}`;
}
