import fc from 'fast-check';
import {
  cancelNow,
  expiresAt,
  nextWake,
  takeStep,
  wakeAt,
  wakesInTime,
  withOpenPayments,
  type LifecycleView,
} from '../../src/domain/lifecycle';
import { usagePeriod } from '../../src/domain/period';
import { type SubscriptionStatus } from '../../src/domain/subscription';
import { at, offered, subscribed, ZONES } from './billing-cases';
import { cases } from './property';
import { PROVIDERS } from '../../src/domain/provider';
import { DAY_MS, HOUR_MS } from '../../src/domain/instant';

const day = (instant: number): string => new Date(instant).toISOString().slice(0, 10);
const start = at('2026-01-31T00:00:00Z');
const boundary = at('2026-02-28T00:00:00Z');
const free = offered('free', { price: { amount: 0n, currency: 'USD' } });
const opened = (changes: Partial<LifecycleView> = {}) => subscribed(free, { now: start }, changes);

describe('a workflow that waits by the row as it was', () => {
  const owing = opened({ paymentDueAt: boundary - 7 * DAY_MS });

  it('wakes in time where a payment has only moved its wake later', () => {
    expect(wakesInTime(owing, { ...owing, paymentDueAt: null })).toBe(true);
    expect(wakesInTime(owing, { ...owing, paymentDueAt: boundary - DAY_MS })).toBe(true);
  });

  it('does not where the row wakes earlier, in another state, or where it waited for nothing', () => {
    expect(wakesInTime(owing, { ...owing, paymentDueAt: boundary - 8 * DAY_MS })).toBe(false);
    expect(wakesInTime(owing, { ...owing, status: 'past_due', pastDueSince: boundary })).toBe(false);
    expect(wakesInTime({ ...owing, status: 'cancelled' }, owing)).toBe(false);
  });
});

describe('what a subscription of local billing waits for', () => {
  it('turns its period at its end, not before', () => {
    expect(nextWake(opened(), boundary - 1)).toMatchObject({
      kind: 'wait',
      step: 'turn_period',
      at: boundary,
    });
    expect(nextWake(opened(), boundary)).toEqual({ kind: 'due', step: 'turn_period', boundary });
    expect(wakeAt(opened())).toBe(boundary);
  });

  it('ends its trial first', () => {
    const view = subscribed(offered('pro', { trialDays: 14 }), { now: start });
    const trialEnd = at('2026-02-14T00:00:00Z');
    expect(nextWake(view, trialEnd - 1)).toMatchObject({ kind: 'wait', step: 'end_trial', at: trialEnd });
    expect(nextWake(view, trialEnd)).toEqual({ kind: 'due', step: 'end_trial', boundary: trialEnd });
    expect(takeStep(view, 'end_trial')).toEqual({
      ...view,
      status: 'active',
      currentPeriodStart: trialEnd,
      currentPeriodEnd: at('2026-03-14T00:00:00Z'),
      paymentDueAt: trialEnd + 7 * DAY_MS,
    });
  });

  it('owes what was offered at the end of its trial, whatever its plan costs by then', () => {
    const view = subscribed(offered('pro', { trialDays: 14 }), { now: start });
    const owes = (changes: Partial<LifecycleView>) =>
      takeStep({ ...view, ...changes }, 'end_trial').paymentDueAt !== null;
    expect(owes({ unitAmount: 2900n, nextPeriodIsFree: true })).toBe(true);
    expect(owes({ unitAmount: 0n, nextPeriodIsFree: false })).toBe(false);
  });

  it('becomes past due when the open payment is due, and expires if it stays so', () => {
    const paymentDueAt = start + 7 * DAY_MS;
    const view = opened({ paymentDueAt });
    expect(nextWake(view, paymentDueAt)).toEqual({
      kind: 'due',
      step: 'become_past_due',
      boundary: paymentDueAt,
    });
    const pastDue = takeStep(view, 'become_past_due');
    expect(pastDue).toEqual({ ...view, status: 'past_due', pastDueSince: paymentDueAt });
    // It continues to renew until then.
    expect(nextWake(pastDue, boundary)).toMatchObject({ step: 'turn_period', boundary });
    const renewed = takeStep(pastDue, 'turn_period');
    const expiry = paymentDueAt + 30 * DAY_MS;
    expect(expiresAt(renewed)).toBe(expiry);
    expect(nextWake(renewed, expiry)).toEqual({ kind: 'due', step: 'expire', boundary: expiry });
    const expired = takeStep(renewed, 'expire');
    expect(expired).toMatchObject({ status: 'expired', paymentDueAt: null, pastDueSince: null });
    expect(nextWake(expired, expiry + 1e12)).toEqual({ kind: 'finished' });
  });

  it('does not renew at the instant at which it expires', () => {
    const view = opened({ status: 'past_due', pastDueSince: boundary - 30 * DAY_MS });
    expect(nextWake(view, boundary)).toMatchObject({ kind: 'due', step: 'expire' });
  });

  it('gives an unpaid checkout up at its deadline, whatever its period', () => {
    const view = opened({ status: 'incomplete', incompleteUntil: start + DAY_MS, paymentDueAt: start });
    expect(nextWake(view, start + DAY_MS)).toMatchObject({ kind: 'due', step: 'expire_checkout' });
    expect(takeStep(view, 'expire_checkout')).toMatchObject({ status: 'expired', incompleteUntil: null });
  });

  it.each<SubscriptionStatus>(['cancelled', 'expired'])('waits for nothing when %s', (status) => {
    expect(nextWake(opened({ status }), start + 1e12)).toEqual({ kind: 'finished' });
    expect(wakeAt(opened({ status }))).toBeNull();
  });

  it.each(PROVIDERS.filter((provider) => provider !== 'internal'))(
    'reads %s at the end of a period, and turns nothing by itself',
    (provider) => {
      expect(nextWake(opened({ provider }), boundary)).toEqual({ kind: 'due', step: 'read_back', boundary });
    },
  );

  it('waits for nothing once it is cancelled', () => {
    const cancelled = cancelNow(opened({ status: 'past_due', pastDueSince: start, paymentDueAt: start }));
    expect(cancelled).toMatchObject({ status: 'cancelled', paymentDueAt: null, pastDueSince: null });
    expect(nextWake(cancelled, start + 1e12)).toEqual({ kind: 'finished' });
  });
});

describe('payments', () => {
  const now = start + 20 * DAY_MS;
  const pastDue = opened({ status: 'past_due', pastDueSince: start, paymentDueAt: start });

  it('bring it back once nothing is due', () => {
    expect(withOpenPayments(pastDue, [], now)).toMatchObject({
      status: 'active',
      paymentDueAt: null,
      pastDueSince: null,
    });
    expect(withOpenPayments(pastDue, [now + 2, now + 1], now)).toMatchObject({
      status: 'active',
      paymentDueAt: now + 1,
    });
  });

  it('leave it past due since what is still due was', () => {
    expect(withOpenPayments(pastDue, [now, now + 1], now)).toMatchObject({
      status: 'past_due',
      paymentDueAt: now,
      pastDueSince: now,
    });
  });

  it.each<SubscriptionStatus>(['cancelled', 'expired'])('revive nothing that is %s', (status) => {
    const ended = opened({ status });
    expect(withOpenPayments(ended, [now], now)).toEqual(ended);
  });
});

describe('turning periods', () => {
  it('comes back to the 31st after short months', () => {
    let view: LifecycleView = opened();
    const starts: string[] = [];
    for (let turn = 0; turn < 5; turn++) {
      starts.push(day(view.currentPeriodStart));
      view = takeStep(view, 'turn_period');
    }
    expect(starts).toEqual(['2026-01-31', '2026-02-28', '2026-03-31', '2026-04-30', '2026-05-31']);
  });

  it.each([-1, 1])(
    'begins one whole period where the rules of the zone have moved the boundary by %i hour',
    (moved) => {
      const view = opened({ currentPeriodEnd: boundary - moved * HOUR_MS });
      const renewed = takeStep(view, 'turn_period');
      expect(renewed.currentPeriodStart).toBe(view.currentPeriodEnd);
      expect(renewed.currentPeriodEnd).toBe(at('2026-03-31T00:00:00Z'));
    },
  );

  it('keeps the payment that falls due first', () => {
    const overdue = opened({ paymentDueAt: boundary + 1, nextPeriodIsFree: false });
    expect(takeStep(overdue, 'turn_period').paymentDueAt).toBe(boundary + 1);
    // The workspace has shortened its payment term since the open payment was created.
    const later = opened({ paymentDueAt: boundary + 9 * DAY_MS, nextPeriodIsFree: false });
    expect(takeStep(later, 'turn_period').paymentDueAt).toBe(boundary + 7 * DAY_MS);
    expect(takeStep(opened(), 'turn_period').paymentDueAt).toBeNull();
  });

  it('counts years from where months ended, and months from where years began', () => {
    const yearly = takeStep(opened({ scheduledInterval: 'year' }), 'turn_period');
    expect(yearly).toMatchObject({ interval: 'year', billingAnchor: boundary, scheduledInterval: null });
    expect(day(yearly.currentPeriodEnd)).toBe('2027-02-28');

    const plan = offered('yearly', { interval: 'year' });
    const leapDay = { now: at('2024-02-29T00:00:00Z') };
    const opening = subscribed(plan, leapDay, { scheduledInterval: 'month' });
    const monthly = takeStep(opening, 'turn_period');
    expect([monthly.currentPeriodStart, monthly.currentPeriodEnd].map(day)).toEqual([
      '2025-02-28',
      '2025-03-29',
    ]);
    // The anchor is unchanged, so the 29th returns.
    expect(monthly.billingAnchor).toBe(opening.billingAnchor);
  });

  it('catches up one period at a time, and arrives where usage is counted', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: at('2020-01-01'), max: at('2030-01-01') }),
        fc.integer({ min: 0, max: 45 }),
        fc.constantFrom(...ZONES),
        fc.constantFrom<'month' | 'year'>('month', 'year'),
        fc.integer({ min: 0, max: 1500 }),
        (now, trialDays, timeZone, interval, days) => {
          const until = now + days * DAY_MS;
          let view: LifecycleView = subscribed({ ...free, trialDays, interval }, { now, timeZone });
          view = { ...view, nextPeriodIsFree: true };
          for (let wake = nextWake(view, until); wake.kind === 'due'; wake = nextWake(view, until)) {
            const next: LifecycleView = takeStep(view, wake.step);
            expect(next.currentPeriodStart).toBe(view.currentPeriodEnd);
            expect(next.currentPeriodEnd).toBeGreaterThan(next.currentPeriodStart);
            view = next;
          }
          const period = usagePeriod({ ...view, startedAt: now }, 'billing_period', until);
          expect(period).toEqual({ start: view.currentPeriodStart, end: view.currentPeriodEnd });
        },
      ),
      cases(300),
    );
  });

  it.each(ZONES)('tiles five years from anchors on the 29th to the 31st (%s)', (timeZone) => {
    for (const from of [
      '2023-12-29T23:30:00Z',
      '2024-01-30T06:15:00Z',
      '2024-01-31T00:00:00Z',
      '2024-02-29T02:30:00Z',
    ]) {
      let view: LifecycleView = subscribed(free, { now: at(from), timeZone });
      const ends = new Set<number>();
      for (let turn = 0; turn < 60; turn++) {
        const next = takeStep(view, 'turn_period');
        expect(next.currentPeriodStart).toBe(view.currentPeriodEnd);
        const days = (next.currentPeriodEnd - next.currentPeriodStart) / DAY_MS;
        // A month has 28 to 31 days, give or take an hour where the clocks change.
        expect(days).toBeGreaterThan(27.9);
        expect(days).toBeLessThan(31.1);
        ends.add(next.currentPeriodEnd);
        view = next;
      }
      expect(ends.size).toBe(60);
    }
  });
});

describe('time', () => {
  it('goes forward step by step until there is nothing to do or something to wait for', () => {
    fc.assert(
      fc.property(lifecycleViews(), fc.integer({ min: 0, max: 900 }), (view, days) => {
        const now = view.currentPeriodStart + days * DAY_MS;
        let current: LifecycleView = view;
        let last = Number.NEGATIVE_INFINITY;
        for (let steps = 0; ; steps++) {
          const wake = nextWake(current, now);
          if (wake.kind !== 'due') break;
          expect(wake.boundary).toBeGreaterThanOrEqual(last);
          expect(wake.boundary).toBe(wakeAt(current));
          last = wake.boundary;
          const next: LifecycleView = takeStep(current, wake.step);
          // No step repeats: the same step either waits for a later instant or never returns.
          const again = nextWake(next, Number.POSITIVE_INFINITY);
          if (again.kind === 'due' && again.step === wake.step) {
            expect(again.boundary).toBeGreaterThan(wake.boundary);
          }
          current = next;
          expect(steps).toBeLessThan(100);
        }
      }),
      cases(500),
    );
  });
});

/** Returns any state that the rows of local billing can have. */
function lifecycleViews(): fc.Arbitrary<LifecycleView> {
  return fc
    .record({
      status: fc.constantFrom<SubscriptionStatus>(
        'incomplete',
        'trialing',
        'active',
        'past_due',
        'cancelled',
        'expired',
      ),
      now: fc.integer({ min: at('2023-01-01'), max: at('2028-01-01') }),
      timeZone: fc.constantFrom(...ZONES),
      interval: fc.constantFrom<'month' | 'year'>('month', 'year'),
      scheduledInterval: fc.constantFrom<'month' | 'year' | null>(null, 'month', 'year'),
      dueInDays: fc.option(fc.integer({ min: 0, max: 60 })),
      nextPeriodIsFree: fc.boolean(),
      pastDueAfterDays: fc.integer({ min: 0, max: 40 }),
      expireAfterDays: fc.integer({ min: 0, max: 90 }),
    })
    .map(({ now, status, interval, timeZone, dueInDays, ...rest }) => {
      const plan = offered('any', { interval, trialDays: status === 'trialing' ? 14 : 0 });
      const due = dueInDays === null ? null : now + dueInDays * DAY_MS;
      const paymentDueAt = status === 'past_due' ? (due ?? now) : status === 'active' ? due : null;
      return subscribed(
        plan,
        { now, timeZone },
        {
          ...rest,
          status,
          paymentDueAt,
          pastDueSince: status === 'past_due' ? paymentDueAt : null,
          incompleteUntil: status === 'incomplete' ? now + DAY_MS : null,
        },
      );
    });
}
