import { askAgainAt, isPastAsking, isPastWaiting, nextCheckoutLook } from '../../src/domain/checkout-looks';
import { DAY_MS } from '../../src/domain/instant';

const MINUTE_MS = 60_000;
const createdAt = Date.UTC(2026, 10, 22);
const expiresAt = createdAt + DAY_MS;

function look(looks: number, after: number): number {
  const now = createdAt + after;
  return (nextCheckoutLook({ createdAt, expiresAt, looks }, now) - createdAt) / MINUTE_MS;
}

test('a checkout is looked for after two minutes, ten minutes, and then hourly', () => {
  expect([look(0, 0), look(1, 2 * MINUTE_MS), look(2, 10 * MINUTE_MS), look(3, 70 * MINUTE_MS)]).toEqual([
    2, 10, 70, 130,
  ]);
});

test('a look that comes late is not made up for at once', () => {
  expect(look(1, 30 * MINUTE_MS)).toBe(90);
});

test('the last look before the end is at the deadline, and what is still open then is looked for on', () => {
  expect(look(9, DAY_MS - MINUTE_MS)).toBe(DAY_MS / MINUTE_MS);
  expect(look(9, DAY_MS)).toBe(DAY_MS / MINUTE_MS + 60);
});

test('a provider that does not answer is asked again soon, then hourly, and no later than at the deadline', () => {
  const again = (looks: number, after: number): number =>
    (askAgainAt({ expiresAt, looks }, createdAt + after) - createdAt - after) / MINUTE_MS;
  expect([1, 2, 3, 4, 5, 50].map((looks) => again(looks, 0))).toEqual([1, 2, 5, 15, 60, 60]);
  expect(again(50, DAY_MS - MINUTE_MS)).toBe(1);
});

test('for three days after the deadline', () => {
  expect(isPastAsking(expiresAt, expiresAt + 3 * DAY_MS - 1)).toBe(false);
  expect(isPastAsking(expiresAt, expiresAt + 3 * DAY_MS)).toBe(true);
});

test.each([
  ['succeeded', 3],
  ['failed', 3],
  [undefined, 3],
  ['pending', 30],
] as const)('what should come of a payment that is %s is waited for %d days', (payment, days) => {
  expect(isPastWaiting(expiresAt, payment, expiresAt + days * DAY_MS - 1)).toBe(false);
  expect(isPastWaiting(expiresAt, payment, expiresAt + days * DAY_MS)).toBe(true);
});
