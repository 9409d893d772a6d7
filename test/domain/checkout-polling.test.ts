import {
  retryPollAt,
  isPastPolling,
  isPastWaiting,
  nextCheckoutPollAt,
  silenceSince,
} from '../../src/domain/checkout-polling';
import { DAY_MS, MINUTE_MS } from '../../src/domain/instant';

const createdAt = Date.UTC(2026, 10, 22);
const expiresAt = createdAt + DAY_MS;

function poll(polls: number, after: number): number {
  const now = createdAt + after;
  return (nextCheckoutPollAt({ createdAt, expiresAt, polls }, now) - createdAt) / MINUTE_MS;
}

test('a checkout is looked for after two minutes, ten minutes, and then hourly', () => {
  expect([poll(0, 0), poll(1, 2 * MINUTE_MS), poll(2, 10 * MINUTE_MS), poll(3, 70 * MINUTE_MS)]).toEqual([
    2, 10, 70, 130,
  ]);
});

test('a look that comes late is not made up for at once', () => {
  expect(poll(1, 10 * MINUTE_MS)).toBe(70);
  expect(poll(1, 30 * MINUTE_MS)).toBe(90);
});

test('the last look before the end is at the deadline, and what is still open then is looked for on', () => {
  expect(poll(9, DAY_MS - MINUTE_MS)).toBe(DAY_MS / MINUTE_MS);
  expect(poll(9, DAY_MS)).toBe(DAY_MS / MINUTE_MS + 60);
});

test('a provider that does not answer is asked again soon, then hourly, and no later than at the deadline', () => {
  const again = (polls: number, after: number): number =>
    (retryPollAt({ expiresAt, polls }, createdAt + after) - createdAt - after) / MINUTE_MS;
  expect([1, 2, 3, 4, 5, 50].map((polls) => again(polls, 0))).toEqual([1, 2, 5, 15, 60, 60]);
  expect(again(50, DAY_MS - MINUTE_MS)).toBe(1);
  expect(again(50, DAY_MS)).toBe(60);
});

test('for three days after the deadline', () => {
  for (const unansweredSince of [createdAt, expiresAt]) {
    expect(isPastPolling(expiresAt, unansweredSince, expiresAt + 3 * DAY_MS - 1)).toBe(false);
    expect(isPastPolling(expiresAt, unansweredSince, expiresAt + 3 * DAY_MS)).toBe(true);
  }
});

test('after an outage of the service, for three days after the first missing answer', () => {
  const unansweredSince = expiresAt + 10 * DAY_MS;
  expect(isPastPolling(expiresAt, unansweredSince, unansweredSince + 3 * DAY_MS - 1)).toBe(false);
  expect(isPastPolling(expiresAt, unansweredSince, unansweredSince + 3 * DAY_MS)).toBe(true);
});

test('a silence begins with the first missing answer, and again with a poll that comes days late', () => {
  const due = expiresAt;
  expect(silenceSince({ unansweredSince: null, nextWakeAt: due }, due)).toBe(due);
  expect(silenceSince({ unansweredSince: createdAt, nextWakeAt: due }, due + 3 * DAY_MS - 1)).toBe(createdAt);
  expect(silenceSince({ unansweredSince: createdAt, nextWakeAt: due }, due + 3 * DAY_MS)).toBe(
    due + 3 * DAY_MS,
  );
  expect(silenceSince({ unansweredSince: createdAt, nextWakeAt: null }, due)).toBe(createdAt);
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
