import { MINUTE_MS } from '../../src/domain/instant';
import { isReadingStale } from '../../src/domain/stale-reading';

const NOW = Date.parse('2027-01-15T10:00:00Z');
const JUST_NOW = NOW - MINUTE_MS;

test.each([
  ['an end', 'cancelled', 'active', JUST_NOW, true],
  ['a suspension', 'past_due', 'trialing', JUST_NOW, true],
  ['an end that it shows', 'cancelled', 'cancelled', JUST_NOW, false],
  ['a renewal', 'active', 'active', JUST_NOW, false],
  ['an end ten minutes ago', 'cancelled', 'active', NOW - 10 * MINUTE_MS, true],
  ['an end longer ago', 'cancelled', 'active', NOW - 10 * MINUTE_MS - 1, false],
  ['an end without its time', 'cancelled', 'active', null, false],
  ['no status', undefined, 'active', JUST_NOW, false],
] as const)('a reading after an event of %s', (_, reported, shown, occurredAt, isStale) => {
  expect(isReadingStale(shown, { reported, occurredAt }, NOW)).toBe(isStale);
});
