import { DAY_MS, HOUR_MS } from '../../../../src/domain/instant.ts';

/**
 * Returns the time range in which a subscription renews. It begins with the current hour and ends with an hour, so that
 * all pages of a list have the same range, and it contains all days from `now`: what began within this hour may renew
 * 31 days later.
 *
 * @param now workspace time
 */
export function renewalWindow(days: number, now: string): { renewsFrom: string; renewsTo: string } {
  const from = Math.floor(Date.parse(now) / HOUR_MS) * HOUR_MS;
  const to = from + HOUR_MS + days * DAY_MS;
  return { renewsFrom: new Date(from).toISOString(), renewsTo: new Date(to).toISOString() };
}
