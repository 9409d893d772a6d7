import { DAY_MS, HOUR_MS } from '../../../../src/domain/instant.ts';
import { RENEWS } from './filters';

/**
 * Returns the time range in which a subscription renews, from the start of the current hour, so that all pages of a
 * list have the same range.
 *
 * @param now workspace time
 */
export function renewalWindow(
  renews: keyof typeof RENEWS,
  now: string,
): { renewsFrom: string; renewsTo: string } {
  const from = Math.floor(Date.parse(now) / HOUR_MS) * HOUR_MS;
  const to = from + RENEWS[renews].days * DAY_MS;
  return { renewsFrom: new Date(from).toISOString(), renewsTo: new Date(to).toISOString() };
}
