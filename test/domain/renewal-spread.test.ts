import fc from 'fast-check';
import type { LifecycleView } from '../../src/domain/lifecycle';
import { renewalDelay } from '../../src/domain/renewal-spread';
import { DAY_MS } from '../../src/domain/instant';
import { lifecycleRow } from '../support/lifecycle-row';
import { cases } from './property';

const START = Date.UTC(2026, 0, 1);
const END = Date.UTC(2026, 1, 1);
const WINDOW = 60_000;
const active = lifecycleRow({ start: START, end: END }, {});
const ids = fc.uuid().map((text) => `sub_${text}`);

test('lies in the window, and is the same whenever it is asked for', () => {
  fc.assert(
    fc.property(ids, fc.integer({ min: 1, max: 240_000 }), fc.nat({ max: 48 }), (id, window, periods) => {
      const delay = renewalDelay(active, id, window);
      expect(Number.isInteger(delay) && delay >= 0 && delay < window).toBe(true);
      const moved = periods * 30 * DAY_MS;
      const later = { ...active, currentPeriodStart: START + moved, currentPeriodEnd: END + moved };
      expect(renewalDelay(later, id, window)).toBe(delay);
    }),
    cases(500),
  );
});

test('fills the window evenly, also with ids that differ in their last place', () => {
  const tenths = new Array<number>(10).fill(0);
  for (let place = 0; place < 10_000; place += 1) {
    const tenth = Math.floor(renewalDelay(active, `sub_01k9z${String(place).padStart(8, '0')}`, 1_000) / 100);
    tenths[tenth] = (tenths[tenth] ?? 0) + 1;
  }
  expect(Math.min(...tenths)).toBeGreaterThan(900);
  expect(Math.max(...tenths)).toBeLessThan(1_100);
});

test('is 0 without a window, and wherever more happens than a repetition', () => {
  const others: Partial<LifecycleView>[] = [
    { status: 'trialing', trialEnd: END },
    { status: 'past_due', pastDueSince: START },
    { status: 'incomplete', incompleteUntil: END },
    { status: 'cancelled' },
    { status: 'expired' },
    { scheduledInterval: 'month' },
    { scheduledInterval: 'year' },
    { paymentDueAt: END - DAY_MS },
    { paymentDueAt: END },
    { paymentDueAt: END + WINDOW - 1 },
    // Paid in advance: the renewal makes it past due immediately.
    { pastDueAfterDays: 0, nextPeriodIsFree: false },
    { provider: 'provider_a' },
    { provider: 'provider_b' },
    { provider: 'provider_c' },
  ];
  fc.assert(
    fc.property(ids, fc.constantFrom(...others), (id, other) => {
      expect(renewalDelay({ ...active, ...other }, id, WINDOW)).toBe(0);
      expect(renewalDelay(active, id, 0)).toBe(0);
    }),
    cases(500),
  );
});

test('a free period makes no debt, and is spread where others are past due at once', () => {
  const free = { ...active, pastDueAfterDays: 0, nextPeriodIsFree: true };
  fc.assert(
    fc.property(ids, (id) => {
      expect(renewalDelay(free, id, WINDOW)).toBe(renewalDelay(active, id, WINDOW));
    }),
    cases(200),
  );
});

test('a debt that becomes past due after the window keeps nothing from being spread', () => {
  const owing = { ...active, paymentDueAt: END + WINDOW };
  fc.assert(
    fc.property(ids, (id) => {
      expect(renewalDelay(owing, id, WINDOW)).toBe(renewalDelay(active, id, WINDOW));
    }),
    cases(200),
  );
});
