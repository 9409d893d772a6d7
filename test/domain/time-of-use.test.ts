import fc from 'fast-check';
import {
  countedAt,
  nowInstead,
  refusalOfTime,
  startSoonAfter,
  type UsedSubscription,
} from '../../src/domain/time-of-use';
import { DAY_MS, MINUTE_MS } from '../../src/domain/instant';

const START = Date.UTC(2026, 2, 1);

test('usage right after a start, by a clock that is behind, counts from the start on', () => {
  expect(startSoonAfter(START - 1, [START])).toBe(START);
  expect(startSoonAfter(START - 5 * MINUTE_MS, [START, START + MINUTE_MS])).toBe(START);
  expect(startSoonAfter(START - 5 * MINUTE_MS - 1, [START])).toBe(START - 5 * MINUTE_MS - 1);
  expect(startSoonAfter(START, [START])).toBe(START);
  expect(startSoonAfter(START, [])).toBe(START);
});

test('a use is only moved forward, to the next start, and by five minutes at most', () => {
  const instant = fc.integer({ min: START, max: START + 30 * MINUTE_MS });
  fc.assert(
    fc.property(instant, fc.array(instant), (at, starts) => {
      const moved = startSoonAfter(at, starts);
      expect(moved - at).toBeGreaterThanOrEqual(0);
      expect(moved - at).toBeLessThanOrEqual(5 * MINUTE_MS);
      if (moved !== at) expect(starts.filter((start) => start > at && start < moved)).toEqual([]);
    }),
  );
});

test('usage right before an end, by a clock that is ahead, counts now', () => {
  const untilEnd = (then: number): boolean => then < START;
  expect(nowInstead(START + MINUTE_MS, START - 1, untilEnd)).toBe(START - 1);
  expect(nowInstead(START - 1, START - MINUTE_MS, untilEnd)).toBe(START - 1);
  expect(nowInstead(START + MINUTE_MS, START, untilEnd)).toBe(START + MINUTE_MS);
  expect(nowInstead(START - MINUTE_MS, START + MINUTE_MS, untilEnd)).toBe(START - MINUTE_MS);
});

test('usage is reported as many days late as the workspace says, and at once where it says none', () => {
  const refusal = (back: number, reportedDays: number): string | null =>
    refusalOfTime(START - back, START, { reportedDays, graceMinutes: 60 });
  expect(refusal(2 * DAY_MS, 2)).toBeNull();
  expect(refusal(2 * DAY_MS + 1, 2)).toBe('lies back more than 2 days');
  expect(refusal(5 * MINUTE_MS, 0)).toBeNull();
  expect(refusal(5 * MINUTE_MS + 1, 0)).toBe('lies back more than 5 minutes');
  expect(refusal(-5 * MINUTE_MS, 0)).toBeNull();
  expect(refusal(-5 * MINUTE_MS - 1, 0)).toBe('lies more than 5 minutes ahead');
});

const policy = { graceDays: 3, expireAfterDays: 7 };
const open: UsedSubscription = {
  entitlementId: 'ent_1',
  status: 'active',
  provider: 'internal',
  startedAt: START,
  currentPeriodEnd: START + 30 * DAY_MS,
  cancelAtPeriodEnd: false,
  pastDueSince: null,
  paymentDueAt: null,
};
const ended: UsedSubscription = { ...open, status: 'cancelled', cancelledAt: START + DAY_MS };
const at = START - MINUTE_MS;

test('a use shortly before a start counts from the start of an open subscription rather than of one that has ended', () => {
  const later = { ...open, startedAt: START + MINUTE_MS };
  expect(countedAt([ended, later], policy, at, at)).toBe(later.startedAt);
  expect(countedAt([ended], policy, at, at)).toBe(START);
  expect(countedAt([], policy, at, at)).toBe(at);
});

test('a use while a subscription gave access counts when it was made', () => {
  const earlier = { ...ended, startedAt: START - DAY_MS };
  expect(countedAt([earlier, open], policy, at, at)).toBe(at);
});

test('a plan without the feature matters only if no plan has it', () => {
  const without = { ...open, entitlementId: null, startedAt: START - DAY_MS };
  expect(countedAt([without, open], policy, at, at)).toBe(START);
  expect(countedAt([without], policy, at, at)).toBe(at);
});

test('a use after the end, by a clock that is ahead, counts now only while a plan with the feature is active', () => {
  const endsAt = START + DAY_MS;
  const ending: UsedSubscription = {
    ...open,
    currentPeriodEnd: endsAt,
    cancelAtPeriodEnd: true,
    provider: 'provider_a',
  };
  const now = endsAt - MINUTE_MS;
  expect(countedAt([ending], policy, endsAt + MINUTE_MS, now)).toBe(now);
  const without = { ...ending, entitlementId: null };
  const over = { ...ended, cancelledAt: START };
  expect(countedAt([without, over], policy, endsAt + MINUTE_MS, now)).toBe(endsAt + MINUTE_MS);
});
