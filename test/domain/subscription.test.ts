import { isTollgateError } from '../../src/domain/errors';
import { usagePeriod } from '../../src/domain/period';
import { openSubscription, type OfferedPlan } from '../../src/domain/subscription';
import { DAY_MS, HOUR_MS } from '../../src/domain/instant';

const at = (text: string): number => Date.parse(text);

const plan: OfferedPlan = {
  id: 'plan_1',
  slug: 'pro',
  planGroupId: 'pgrp_1',
  price: { amount: 1451n, currency: 'USD' },
  interval: 'month',
  pricing: 'per_seat',
  trialDays: 0,
  archived: false,
};
const now = at('2026-01-31T10:00:00Z');
const input = { plan, seats: 3, timeZone: 'UTC', now };

function refusal(act: () => unknown): { code: string; pointers: string[] } {
  try {
    act();
  } catch (e) {
    if (isTollgateError(e)) return { code: e.code, pointers: (e.errors ?? []).map(({ pointer }) => pointer) };
  }
  throw new Error('It was not refused.');
}

describe('opening a subscription', () => {
  it('is active, anchored now, with the price of the plan as it is', () => {
    expect(openSubscription(input)).toEqual({
      planId: 'plan_1',
      planGroupId: 'pgrp_1',
      status: 'active',
      startedAt: now,
      billingAnchor: now,
      timeZone: 'UTC',
      trialEnd: null,
      currentPeriodStart: now,
      currentPeriodEnd: at('2026-02-28T10:00:00Z'),
      seats: 3,
      unitAmount: 1451n,
      currency: 'USD',
      interval: 'month',
      pricing: 'per_seat',
    });
  });

  it('is anchored at the end of its trial, and the trial is its first period', () => {
    const opened = openSubscription({ ...input, plan: { ...plan, trialDays: 14 }, anchor: at('2026-02-01') });
    const trialEnd = at('2026-02-14T10:00:00Z');
    expect(opened).toMatchObject({
      status: 'trialing',
      startedAt: now,
      trialEnd,
      billingAnchor: trialEnd,
      currentPeriodStart: now,
      currentPeriodEnd: trialEnd,
    });
  });

  it('counts the days of a trial on the calendar of the zone, and lets it last longer than a period', () => {
    const started = at('2026-03-01T05:00:00Z'); // midnight in New York, a week before the clocks change
    const opened = openSubscription({
      ...input,
      plan: { ...plan, trialDays: 60 },
      timeZone: 'America/New_York',
      now: started,
    });
    expect(opened.trialEnd).toBe(started + 60 * DAY_MS - HOUR_MS);
  });

  it('takes an anchor in the past or within one interval ahead', () => {
    expect(openSubscription({ ...input, anchor: at('2025-10-15T00:00:00Z') })).toMatchObject({
      startedAt: now,
      currentPeriodStart: at('2026-01-15T00:00:00Z'),
      currentPeriodEnd: at('2026-02-15T00:00:00Z'),
    });
    const ahead = at('2026-02-28T10:00:00Z');
    expect(openSubscription({ ...input, anchor: ahead })).toMatchObject({
      billingAnchor: ahead,
      currentPeriodStart: now,
      currentPeriodEnd: ahead,
    });
    expect(refusal(() => openSubscription({ ...input, anchor: ahead + 1 }))).toEqual({
      code: 'validation_failed',
      pointers: ['/anchor'],
    });
  });

  it.each([undefined, at('2025-10-15T00:00:00Z'), at('2026-02-15T00:00:00Z')])(
    'has the billing period that usage is counted in (anchor %p)',
    (anchor) => {
      const opened = openSubscription(anchor === undefined ? input : { ...input, anchor });
      expect(usagePeriod(opened, 'billing_period', now)).toEqual({
        start: opened.currentPeriodStart,
        end: opened.currentPeriodEnd,
      });
    },
  );

  it('refuses an archived plan', () => {
    expect(refusal(() => openSubscription({ ...input, plan: { ...plan, archived: true } })).code).toBe(
      'plan_archived',
    );
  });

  it.each([0, -1, 1.5, NaN, Infinity])('refuses %d seats', (seats) => {
    expect(refusal(() => openSubscription({ ...input, seats }))).toEqual({
      code: 'validation_failed',
      pointers: ['/seats'],
    });
  });
});
