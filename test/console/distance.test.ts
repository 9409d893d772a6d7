import { formatDistance } from '../../console/src/ui/time';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/domain/instant';

const NOW = Date.parse('2026-11-30T21:00:00Z');

test.each([
  [0, 'now'],
  [-400, 'now'],
  [20_000, 'in 20 seconds'],
  [-5 * MINUTE_MS, '5 minutes ago'],
  // Not tomorrow, which ends after 3 hours; nor the next month, which is December.
  [30 * HOUR_MS, 'in 1 day'],
  [-30 * HOUR_MS, '1 day ago'],
  [37 * DAY_MS, 'in 1 month'],
  [400 * DAY_MS, 'in 1 year'],
])('a time %d ms away is said to be %s', (ms, words) => {
  expect(formatDistance(new Date(NOW + ms).toISOString(), NOW)).toBe(words);
});
