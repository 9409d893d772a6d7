import { applyImmediateChange, planChange } from '../../src/domain/plan-change';
import { NO_WORK } from '../../src/domain/provider-work';
import type { SubscriptionStatus } from '../../src/domain/subscription';
import { at, offered, subscribed, type Subscribed } from './billing-cases';
import { refusalOf } from './refusal';
import type { Provider } from '../../src/domain/provider';

const starter = offered('starter', { price: { amount: 1000n, currency: 'USD' } });
const pro = offered('pro', { price: { amount: 3000n, currency: 'USD' } });
const start = at('2026-06-01');
const end = at('2026-07-01');
const middle = at('2026-06-16');
const on = (plan = pro, seats = 2, changes: Partial<Subscribed> = {}) =>
  subscribed(plan, { now: start, seats }, changes);

it('of what has ended says so, also where it would change nothing', () => {
  for (const status of ['cancelled', 'expired'] as const) {
    const ended = on(pro, 2, { status });
    expect(refusalOf(() => planChange(ended, pro, 2, middle))).toMatchObject({
      code: 'capability_unavailable',
      capability: { reasonCode: 'subscription_ended' },
    });
  }
});

describe('a change at once', () => {
  it('is an upgrade to what costs more: one transaction over the net amount', () => {
    const plan = planChange(on(starter), pro, 2, middle);
    expect(plan).toMatchObject({
      direction: 'upgrade',
      effective: 'immediate',
      effectiveAt: middle,
      from: { planId: 'plan_starter', planSlug: 'starter', seats: 2 },
      to: { planId: 'plan_pro', planSlug: 'pro', seats: 2 },
      target: pro,
      withdraws: null,
      requiresCustomerAction: false,
      policyVersion: 1,
      estimated: false,
    });
    expect(plan.transaction).toMatchObject({
      kind: 'proration',
      currency: 'USD',
      lines: [
        { description: 'Unused time on starter × 2, 16 Jun 2026 – 1 Jul 2026', amount: -1000n },
        { description: 'Remaining time on pro × 2, 16 Jun 2026 – 1 Jul 2026', amount: 3000n },
      ],
      subtotal: 2000n,
      total: 2000n,
      periodStart: start,
      periodEnd: end,
      dueAt: at('2026-06-23'),
      proration: { net: 2000n, current: { amount: 1000n }, target: { amount: 3000n } },
    });
    expect(plan.steps).toEqual([
      'The subscription changes from starter × 2 to pro × 2 immediately.',
      '20.00 USD for the rest of the period is due by 23 Jun 2026.',
    ]);
    expect(applyImmediateChange(on(starter), plan)).toEqual({
      planId: 'plan_pro',
      planSlug: 'pro',
      seats: 2,
      unitAmount: 3000n,
      pricing: 'per_seat',
      interval: 'month',
    });
  });

  it('is taxed as its period was', () => {
    const tax = { behavior: 'exclusive' as const, rates: [{ name: 'VAT', rate: '0.19' }] };
    const { transaction } = planChange(on(starter, 2, { tax }), pro, 2, middle);
    expect(transaction).toMatchObject({ tax, subtotal: 2000n, taxAmount: 380n, total: 2380n });
  });

  it('costs for more seats what the period’s price says, whatever the plan costs by now', () => {
    const dearer = offered('pro', { price: { amount: 9900n, currency: 'USD' } });
    const plan = planChange(on(), dearer, 3, middle);
    expect(plan).toMatchObject({ direction: 'seat_increase', effective: 'immediate' });
    expect(plan.transaction).toMatchObject({ total: 1500n });
    expect(applyImmediateChange(on(), plan)).toMatchObject({ seats: 3, unitAmount: 3000n });
  });

  it('makes its one transaction also where the price is flat and nothing is to be paid', () => {
    const flat = offered('flat', { pricing: 'flat' });
    const plan = planChange(on(flat, 2), flat, 9, middle);
    expect(plan).toMatchObject({ direction: 'seat_increase', effective: 'immediate' });
    expect(plan.transaction).toMatchObject({ kind: 'proration', total: 0n });
    expect(plan.steps).toContain('Nothing is charged for the rest of the period.');
  });

  it('weighs plan and seats together by what a period costs', () => {
    // 2 × 30.00 compared with 5 × 10.00 and 7 × 10.00.
    expect(planChange(on(), starter, 5, middle)).toMatchObject({
      direction: 'downgrade',
      effective: 'next_renewal',
    });
    expect(planChange(on(), starter, 7, middle)).toMatchObject({
      direction: 'upgrade',
      effective: 'immediate',
    });
    expect(planChange(on(), starter, 6, middle)).toMatchObject({ direction: 'downgrade', transaction: null });
  });

  it('charges the end of a short first period by the whole one', () => {
    const short = subscribed(starter, { now: middle, anchor: end });
    const { transaction } = planChange(short, pro, 1, at('2026-06-28'));
    // 3 of 30 days: 3.00 − 1.00.
    expect(transaction).toMatchObject({ total: 200n, periodStart: middle, periodEnd: end });
  });
});

describe('a change that waits for the renewal', () => {
  it.each([
    ['another plan that costs less', starter, 2, 'downgrade'],
    ['another plan that costs the same', offered('other'), 2, 'downgrade'],
    ['fewer seats', pro, 1, 'seat_decrease'],
  ] as const)('%s', (_, target, seats, direction) => {
    expect(planChange(on(), target, seats, middle)).toMatchObject({
      direction,
      effective: 'next_renewal',
      effectiveAt: end,
      transaction: null,
      policyVersion: null,
      steps: [
        'The subscription stays on pro × 2 until it renews on 1 Jul 2026. Nothing is charged before.',
        expect.stringContaining('From 1 Jul 2026, it is on '),
      ],
    });
  });

  it.each([
    // 2 × 30.00 a month is 720.00 a year.
    [36_001n, 'upgrade'],
    [36_000n, 'downgrade'],
  ] as const)('another interval, by the price of a year (%s)', (amount, direction) => {
    const yearly = offered('yearly', { interval: 'year', price: { amount, currency: 'USD' } });
    expect(planChange(on(), yearly, 2, middle)).toMatchObject({
      direction,
      effective: 'next_renewal',
      effectiveAt: end,
      transaction: null,
    });
  });
});

describe('a change over one that waits', () => {
  const scheduled = { planId: 'plan_starter', planSlug: 'starter', seats: 2 };
  const waiting = on(pro, 2, { scheduled: { ...scheduled, pricing: 'per_seat' } });

  it('takes its place and says so', () => {
    const plan = planChange(waiting, pro, 3, middle);
    expect(plan).toMatchObject({ effective: 'immediate', withdraws: scheduled });
    expect(plan.steps[0]).toBe('The scheduled change to starter × 2 is withdrawn.');
    expect(planChange(waiting, starter, 1, middle).withdraws).toEqual(scheduled);
  });

  it('replaces nothing where it is the same', () => {
    expect(planChange(waiting, starter, 2, middle).withdraws).toBeNull();
  });

  it('is refused where it only asks for what is there', () => {
    expect(refusalOf(() => planChange(waiting, pro, 2, middle))).toMatchObject({
      code: 'change_without_effect',
    });
  });
});

describe('a change in a trial', () => {
  const trial = subscribed(offered('trial', { trialDays: 30 }), { now: start, seats: 2 });

  it.each([
    ['up', pro, 9],
    ['down', starter, 1],
    ['to another interval', offered('yearly', { interval: 'year' }), 2],
    ['of seats', offered('trial', { trialDays: 30 }), 1],
  ] as const)('%s is at once and costs nothing', (_, target, seats) => {
    const plan = planChange(trial, target, seats, middle);
    expect(plan).toMatchObject({ effective: 'immediate', effectiveAt: middle, withdraws: null });
    expect(plan.transaction).toMatchObject({
      total: 0n,
      periodStart: start,
      periodEnd: end,
      proration: { net: 0n, current: { amount: 0n }, target: { amount: 0n } },
    });
    expect(applyImmediateChange(trial, plan)).toMatchObject({
      planId: target.id,
      seats,
      unitAmount: target.price.amount,
      interval: target.interval,
    });
    expect(plan.steps).toContain('Nothing is charged during the trial, and the trial end does not change.');
  });
});

describe('a change is refused', () => {
  it.each([
    [
      'to a plan in another currency',
      offered('eur', { price: { amount: 1n, currency: 'EUR' } }),
      2,
      'plan_currency_differs',
      422,
    ],
    ['to a plan of another group', offered('other', { planGroupId: 'pgrp_2' }), 2, 'plan_group_differs', 422],
    ['to an archived plan', offered('old', { archived: true }), 2, 'plan_archived', 409],
    ['to what it is already', pro, 2, 'change_without_effect', 409],
    ['to no seats', pro, 0, 'validation_failed', 400],
    ['to fewer than no seats', starter, -1, 'validation_failed', 400],
    ['to a part of a seat', pro, 1.5, 'validation_failed', 400],
    ['to seats beyond counting', pro, 2 ** 53, 'validation_failed', 400],
  ] as const)('%s', (_, target, seats, code, status) => {
    const refusal = refusalOf(() => planChange(on(), target, seats, middle));
    expect(refusal).toMatchObject({ code, status });
    expect(refusal.pointers).toEqual(code === 'validation_failed' ? ['/seats'] : []);
  });

  it('of seats is not, on a plan that is archived by now', () => {
    const archived = offered('pro', { archived: true });
    expect(planChange(on(), archived, 3, middle)).toMatchObject({ direction: 'seat_increase' });
  });

  it.each<[SubscriptionStatus, string]>([
    ['past_due', 'payment_past_due'],
    ['incomplete', 'checkout_incomplete'],
    ['cancelled', 'subscription_ended'],
    ['expired', 'subscription_ended'],
  ])('while %s', (status, reasonCode) => {
    const refused = on(pro, 2, { status });
    expect(refusalOf(() => planChange(refused, starter, 2, middle))).toMatchObject({
      code: 'capability_unavailable',
      status: 409,
      capability: { name: 'planChange', supported: true, available: false, reasonCode },
    });
    expect(refusalOf(() => planChange(refused, pro, 3, middle))).toMatchObject({
      capability: { name: 'seatChange', reasonCode },
    });
  });
});

describe('a change at a payment provider', () => {
  const billedBy = (provider: Provider, changes: Partial<Subscribed> = {}) =>
    on(pro, 2, { provider, providerReference: 'ref', ...changes });
  const large = offered('large', { price: { amount: 9000n, currency: 'USD' } });

  it('A: what costs more is charged at once, by the provider’s own calculation', () => {
    expect(planChange(billedBy('provider_a'), large, 2, middle)).toMatchObject({
      direction: 'upgrade',
      effective: 'immediate',
      estimated: true,
      requiresCustomerAction: false,
      transaction: { total: 6000n },
      steps: [
        'The payment provider charges about 60.00 USD for the rest of the period.',
        'The subscription changes from pro × 2 to large × 2 immediately.',
      ],
    });
    expect(planChange(billedBy('provider_a'), pro, 3, middle)).toMatchObject({
      direction: 'seat_increase',
      effective: 'immediate',
      estimated: true,
    });
  });

  it('A: what costs less waits for the renewal', () => {
    expect(planChange(billedBy('provider_a'), starter, 2, middle)).toMatchObject({
      direction: 'downgrade',
      effective: 'next_renewal',
      transaction: null,
      estimated: false,
    });
    expect(planChange(billedBy('provider_a'), pro, 1, middle)).toMatchObject({ effective: 'next_renewal' });
  });

  it('A: another interval is refused', () => {
    const yearly = offered('yearly', { interval: 'year' });
    expect(refusalOf(() => planChange(billedBy('provider_a'), yearly, 2, middle))).toMatchObject({
      code: 'interval_change_unsupported',
      status: 422,
    });
  });

  it('A: waits while the renewal is being prepared', () => {
    const prepared = billedBy('provider_a', {
      work: { ...NO_WORK, sync: { state: 'prepared', retryAt: null } },
    });
    expect(refusalOf(() => planChange(prepared, large, 2, middle))).toMatchObject({
      code: 'capability_unavailable',
      capability: { reasonCode: 'renewal_prepared' },
    });
  });

  it.each([
    ['up', large, 2],
    ['down', starter, 2],
    ['of seats', pro, 3],
  ] as const)('B: %s waits for the customer’s confirmation, and nothing is prorated', (_, target, seats) => {
    expect(planChange(billedBy('provider_b'), target, seats, middle)).toMatchObject({
      effective: 'after_confirmation',
      effectiveAt: end,
      requiresCustomerAction: true,
      transaction: null,
      policyVersion: null,
      estimated: false,
    });
  });

  it('B: the seats of a flat plan, which B does not bill, need no confirmation', () => {
    const flat = offered('flat', { pricing: 'flat' });
    const onFlat = { ...on(flat, 2), provider: 'provider_b', providerReference: 'I-1' } as const;
    const waits = { effective: 'next_renewal', effectiveAt: end, requiresCustomerAction: false };
    expect(planChange(onFlat, flat, 9, middle)).toMatchObject({ ...waits, withdraws: null });
    // B does not bill the seats of the plan that is already confirmed either, but it bills those of the plan before it.
    const scheduled = { planId: 'plan_large', planSlug: 'large', seats: 2, pricing: 'flat' } as const;
    const flatLarge = offered('large', { pricing: 'flat' });
    const confirmed = { ...onFlat, scheduled };
    expect(planChange(confirmed, flatLarge, 3, middle)).toMatchObject({
      ...waits,
      withdraws: { planId: 'plan_large', seats: 2 },
    });
    expect(planChange(confirmed, flat, 3, middle)).toMatchObject({
      effective: 'after_confirmation',
      withdraws: null,
    });
    // Next to it, another change may await its customer's approval.
    const requested = { planId: 'plan_pro', planSlug: 'pro', seats: 1 };
    expect(planChange({ ...confirmed, requested }, flat, 3, middle).withdraws).toEqual(requested);
    expect(planChange({ ...confirmed, requested }, flatLarge, 2, middle).withdraws).toEqual(requested);
    const both = planChange({ ...confirmed, requested }, flatLarge, 3, middle);
    expect(both.withdraws).toMatchObject({ planId: 'plan_large', seats: 2 });
    expect(both.steps.slice(0, 2)).toEqual([
      'The scheduled change to large × 2 is withdrawn.',
      'The scheduled change to pro is withdrawn.',
    ]);
    // A change that waits without confirmation is withdrawn, as elsewhere. A requested change is not waited for.
    const own = { planId: 'plan_flat', planSlug: 'flat', seats: 9, pricing: 'flat' } as const;
    expect(refusalOf(() => planChange({ ...onFlat, scheduled: own }, flat, 2, middle))).toMatchObject({
      code: 'change_without_effect',
    });
    expect(planChange({ ...onFlat, requested: scheduled }, flat, 9, middle)).toMatchObject({
      ...waits,
      withdraws: { planId: 'plan_large', seats: 2 },
    });
  });

  it('C: is not supported', () => {
    expect(refusalOf(() => planChange(billedBy('provider_c'), large, 2, middle))).toMatchObject({
      code: 'capability_unsupported',
      status: 422,
      capability: { name: 'planChange', supported: false },
    });
    expect(refusalOf(() => planChange(billedBy('provider_c'), pro, 3, middle))).toMatchObject({
      code: 'capability_unsupported',
      capability: { name: 'seatChange', supported: false },
    });
  });
});
