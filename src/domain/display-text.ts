import { dateOfWallClock } from './civil-date';
import type { Instant } from './instant';
import { majorUnits } from './major-units';
import type { Money } from './money';
import { wallClockAt } from './zone';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Returns the day of an instant in a zone, for people: `1 Jan 2027`. */
export function displayDay(timeZone: string, instant: Instant): string {
  const { year, month, day } = dateOfWallClock(wallClockAt(timeZone, instant));
  return `${day} ${MONTHS[month - 1] ?? ''} ${year}`;
}

/** Returns a period, from its first day to the day on which the next one starts: `1 Jan 2027 – 1 Feb 2027`. */
export function displayPeriod(timeZone: string, start: Instant, end: Instant): string {
  return `${displayDay(timeZone, start)} – ${displayDay(timeZone, end)}`;
}

/** Returns an amount in major units, for people: `14.51 USD`, `1451 JPY`. */
export function displayMoney({ amount, currency }: Money): string {
  return `${majorUnits(amount.toString(), currency)} ${currency}`;
}

/** Returns a plan and its seats: `pro × 5`, or just `pro` for one seat. */
export function displayPlan({ planSlug, seats }: { planSlug: string; seats: number }): string {
  return seats === 1 ? planSlug : `${planSlug} × ${seats}`;
}
