import * as fc from 'fast-check';
import { DAY_MS, HOUR_MS } from '../../src/domain/instant';
import { nextWake, takeStep, type LifecycleView } from '../../src/domain/lifecycle';
import { calendarPeriodContaining } from '../../src/domain/period';
import { countSteps } from '../../src/domain/step-count';
import { lifecycleRow } from '../support/lifecycle-row';

const START = Date.UTC(2026, 0, 31, 12);

/** Counts by taking one step after another, as a workflow does. */
function countOneByOne(subscription: LifecycleView, until: number): number {
  let view = subscription;
  for (let steps = 0; ; steps += 1) {
    const wake = nextWake(view, until);
    if (wake.kind !== 'due') return steps;
    view = takeStep(view, wake.step);
  }
}

const instant = fc.integer({ min: 0, max: 400 }).map((days) => START + days * DAY_MS);
const subscriptions: fc.Arbitrary<LifecycleView> = fc
  .record({
    provider: fc.constantFrom('internal', 'provider_a', 'provider_b', 'provider_c'),
    status: fc.constantFrom('incomplete', 'trialing', 'active', 'past_due', 'cancelled', 'expired'),
    interval: fc.constantFrom('month', 'year'),
    timeZone: fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York'),
    billingAnchor: instant,
    paymentDueAt: fc.option(instant),
    pastDueSince: fc.option(instant),
    scheduledInterval: fc.option(fc.constantFrom('month', 'year')),
    cancelAtPeriodEnd: fc.boolean(),
    cancelAt: fc.option(instant),
    nextPeriodIsFree: fc.boolean(),
    pastDueAfterDays: fc.constantFrom(0, 7, 100),
    expireAfterDays: fc.constantFrom(0, 30, 900),
    now: instant,
    off: fc.constantFrom(0, -DAY_MS, -HOUR_MS, HOUR_MS),
  })
  .map(({ now, off, ...row }): LifecycleView => {
    const { billingAnchor: anchor, timeZone, interval } = row;
    const period = calendarPeriodContaining({ anchor, timeZone, interval }, now);
    return {
      ...row,
      trialEnd: row.status === 'trialing' ? period.end : null,
      incompleteUntil: row.status === 'incomplete' ? period.end : null,
      currentPeriodStart: period.start,
      // A provider's period may end at any time, and new rules of a zone move the calendar by an hour.
      currentPeriodEnd: period.end + off,
      ...(row.provider !== 'internal' && {
        work: { unsettled: null, request: null, sync: null, lookAgainAt: null, pastDueReadAt: null },
      }),
    };
  });

test('periods that are counted come to what taking each of them comes to', () => {
  fc.assert(
    fc.property(subscriptions, fc.integer({ min: 0, max: 1_500 }), (subscription, days) => {
      const until = START + days * DAY_MS;
      expect(countSteps(subscription, until)).toBe(countOneByOne(subscription, until));
    }),
    { numRuns: 2_000 },
  );
});

test('a hundred years of months are counted without going through them', () => {
  const anchor = START;
  const period = calendarPeriodContaining({ anchor, timeZone: 'UTC', interval: 'month' }, anchor);
  const free = lifecycleRow(period, { nextPeriodIsFree: true });
  expect(countSteps(free, Date.UTC(2126, 0, 31, 12))).toBe(1_200);
});
