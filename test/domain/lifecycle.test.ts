import fc from 'fast-check';
import { endTrial, nextWake, turnPeriod, type LifecycleView } from '../../src/domain/lifecycle';
import { usagePeriod } from '../../src/domain/period';
import { openSubscription, type SubscriptionStatus } from '../../src/domain/subscription';
import { cases } from './property';

const at = (text: string): number => Date.parse(text);
const day = (instant: number): string => new Date(instant).toISOString().slice(0, 10);

function opened(now: number, trialDays = 0, timeZone = 'UTC', interval: 'month' | 'year' = 'month') {
  const price = { amount: 0n, currency: 'USD' };
  const plan = {
    id: 'p',
    slug: 'p',
    planGroupId: 'g',
    price,
    interval,
    pricing: 'flat',
    archived: false,
  } as const;
  return openSubscription({ plan: { ...plan, trialDays }, seats: 1, timeZone, now });
}

describe('what an internal subscription waits for', () => {
  const start = at('2026-01-31T00:00:00Z');

  it('turns its period at its end, not before', () => {
    const view = opened(start);
    const boundary = at('2026-02-28T00:00:00Z');
    expect(nextWake(view, boundary - 1)).toMatchObject({ kind: 'wait', at: boundary });
    expect(nextWake(view, boundary)).toEqual({ kind: 'due', step: 'turn_period', boundary });
    expect(nextWake({ ...view, status: 'past_due' }, boundary)).toEqual({
      kind: 'due',
      step: 'turn_period',
      boundary,
    });
  });

  it('ends its trial first', () => {
    const view = opened(start, 14);
    const boundary = at('2026-02-14T00:00:00Z');
    expect(nextWake(view, boundary - 1)).toMatchObject({ kind: 'wait', at: boundary });
    expect(nextWake(view, boundary)).toEqual({ kind: 'due', step: 'end_trial', boundary });
    expect(endTrial(view)).toEqual({
      ...view,
      status: 'active',
      currentPeriodStart: boundary,
      currentPeriodEnd: at('2026-03-14T00:00:00Z'),
    });
  });

  it.each<SubscriptionStatus>(['cancelled', 'expired', 'incomplete'])(
    'waits for nothing when %s',
    (status) => {
      expect(nextWake({ ...opened(start), status }, start + 1e12)).toEqual({ kind: 'finished' });
    },
  );
});

describe('turning periods', () => {
  it('comes back to the 31st after short months', () => {
    let view: LifecycleView = opened(at('2026-01-31T00:00:00Z'));
    const starts: string[] = [];
    for (let turn = 0; turn < 5; turn++) {
      starts.push(day(view.currentPeriodStart));
      view = turnPeriod(view);
    }
    expect(starts).toEqual(['2026-01-31', '2026-02-28', '2026-03-31', '2026-04-30', '2026-05-31']);
  });

  it('catches up one period at a time, and arrives where usage is counted', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: at('2020-01-01'), max: at('2030-01-01') }),
        fc.integer({ min: 0, max: 45 }),
        fc.constantFrom('UTC', 'America/New_York', 'Europe/Berlin', 'Australia/Lord_Howe', 'Asia/Kolkata'),
        fc.constantFrom<'month' | 'year'>('month', 'year'),
        fc.integer({ min: 0, max: 1500 }),
        (start, trialDays, timeZone, interval, days) => {
          const now = start + days * 86_400_000;
          let view: LifecycleView = opened(start, trialDays, timeZone, interval);
          for (let wake = nextWake(view, now); wake.kind === 'due'; wake = nextWake(view, now)) {
            const next: LifecycleView = wake.step === 'end_trial' ? endTrial(view) : turnPeriod(view);
            expect(next.currentPeriodStart).toBe(view.currentPeriodEnd);
            expect(next.currentPeriodEnd).toBeGreaterThan(next.currentPeriodStart);
            view = next;
          }
          const period = usagePeriod({ ...view, startedAt: start }, 'billing_period', now);
          expect(period).toEqual({ start: view.currentPeriodStart, end: view.currentPeriodEnd });
        },
      ),
      cases(300),
    );
  });
});
