import { addDays, addMonths, dateOfWallClock } from '../../src/domain/civil-date';
import type { Interval } from './records';
import { HOUR_MS } from '../../src/domain/instant';

/** Not every month has later days; subscriptions created on those are billed on this day. */
const LAST_BILLING_DAY = 28;

/** Returns the next charge, one interval after `instant`. Calendar arithmetic is in UTC. */
export function nextCharge(instant: number, interval: Interval): number {
  switch (interval) {
    case 'hourly':
      return instant + HOUR_MS;
    case 'daily':
      return addDays(instant, 1);
    case 'weekly':
      return addDays(instant, 7);
    case 'monthly':
      return addMonths(onBillingDay(instant), 1);
    case 'quarterly':
      return addMonths(onBillingDay(instant), 3);
    case 'biannually':
      return addMonths(onBillingDay(instant), 6);
    case 'annually':
      return addMonths(instant, 12);
  }
}

function onBillingDay(instant: number): number {
  const { day } = dateOfWallClock(instant);
  return addDays(instant, Math.min(0, LAST_BILLING_DAY - day));
}

/** Returns the provider's own notation for the charge times. */
export function cronExpression(boundary: number, interval: Interval): string {
  const { day, month } = dateOfWallClock(boundary);
  const hour = new Date(boundary).getUTCHours();
  if (interval === 'hourly') return '0 * * * *';
  if (interval === 'daily') return `0 ${hour} * * *`;
  if (interval === 'weekly') return `0 ${hour} * * ${new Date(boundary).getUTCDay()}`;
  return interval === 'annually' ? `0 ${hour} ${day} ${month} *` : `0 ${hour} ${day} * *`;
}
