import fc from 'fast-check';
import { nextWake } from '../../src/domain/lifecycle';
import { upcomingSteps } from '../../src/domain/upcoming-steps';
import { DAY_MS } from '../../src/domain/instant';
import { at, offered, subscribed } from './billing-cases';
import { cases } from './property';

const start = at('2026-01-31T00:00:00Z');
const free = offered('free', { price: { amount: 0n, currency: 'USD' } });
const summary = (steps: { at: number; step: string }[]) =>
  steps.map(({ at: instant, step }) => `${new Date(instant).toISOString().slice(0, 10)} ${step}`);

describe('what is to come', () => {
  it('is one renewal after the other where nothing costs', () => {
    const steps = upcomingSteps(subscribed(free, { now: start }), start, 3);
    expect(summary(steps)).toEqual([
      '2026-02-28 turn_period',
      '2026-03-31 turn_period',
      '2026-04-30 turn_period',
    ]);
    expect(steps.map(({ view }) => view.currentPeriodStart)).toEqual(steps.map((step) => step.at));
  });

  it('is past due and expiry where nothing is paid', () => {
    const view = subscribed(offered('pro', { trialDays: 14 }), { now: start });
    expect(summary(upcomingSteps(view, start, 12))).toEqual([
      '2026-02-14 end_trial',
      '2026-02-21 become_past_due',
      '2026-03-14 turn_period',
      '2026-03-23 expire',
    ]);
  });

  it('counts periods as the scheduled change has them', () => {
    const view = subscribed(free, { now: start }, { scheduledInterval: 'year' });
    expect(summary(upcomingSteps(view, start, 2))).toEqual([
      '2026-02-28 turn_period',
      '2027-02-28 turn_period',
    ]);
  });

  it.each([
    ['an hour of the provider', '2026-02-28T10:00:00Z', ['2026-03-31T10:00', '2026-04-30T10:00']],
    ['seconds later', '2026-02-28T12:30:03Z', ['2026-03-31T12:30', '2026-04-30T12:30']],
    ['another day', '2026-02-20T10:00:00Z', ['2026-03-20T10:00', '2026-04-20T10:00']],
  ])('has one renewal a month where a provider has moved the period: to %s', (_, moved, renewals) => {
    const now = at('2026-01-31T12:30:00Z');
    const view = subscribed(free, { now }, { provider: 'provider_b', currentPeriodEnd: at(moved) });
    const found = upcomingSteps(view, now, 3).map((step) => new Date(step.at).toISOString());
    expect(found.map((time) => time.slice(0, 16))).toEqual([moved.slice(0, 16), ...renewals]);
  });

  it('begins with what is overdue, as of now', () => {
    const now = start + 40 * DAY_MS;
    expect(summary(upcomingSteps(subscribed(free, { now: start }), now, 2))).toEqual([
      '2026-03-12 turn_period',
      '2026-03-31 turn_period',
    ]);
  });

  it('is nothing once it has ended', () => {
    expect(upcomingSteps(subscribed(free, { now: start }, { status: 'cancelled' }), start, 12)).toEqual([]);
  });

  it('never goes back, keeps to its bound and begins with what is waited for', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 120 }),
        fc.integer({ min: 0, max: 30 }),
        fc.boolean(),
        fc.integer({ min: 0, max: 20 }),
        (days, trialDays, paying, most) => {
          const view = subscribed(paying ? offered('pro', { trialDays }) : { ...free, trialDays }, {
            now: start,
          });
          const now = start + days * DAY_MS;
          const steps = upcomingSteps(view, now, most);
          expect(steps.length).toBeLessThanOrEqual(most);
          const instants = steps.map((step) => step.at);
          expect(instants).toEqual([...instants].sort((a, b) => a - b));
          const wake = nextWake(view, now);
          if (wake.kind === 'wait' && most > 0)
            expect(steps[0]).toMatchObject({ step: wake.step, at: wake.at });
        },
      ),
      cases(200),
    );
  });
});
