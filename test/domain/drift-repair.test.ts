import fc from 'fast-check';
import { driftOf } from '../../src/domain/drift';
import {
  repairedByProvider,
  requireMappable,
  requireWritable,
  type RepairView,
} from '../../src/domain/drift-repair';
import { usagePeriod } from '../../src/domain/period';
import { MAX_SEATS } from '../../src/domain/subscription-types';
import { NO_WORK } from '../../src/domain/provider-work';
import { withEnd } from '../../src/domain/pending-cancellation';
import { cases } from './property';
import { refusalOf } from './refusal';
import {
  billedFacts as facts,
  END,
  ON_PRO,
  planAtProvider,
  plansAtProvider,
  PROVIDER_ROW,
  START,
  STARTER,
  syncMarker,
} from './provider-row';
import { callsToRestore } from '../../src/domain/drift-restore';
import { DAY_MS } from '../../src/domain/instant';

const NOW = Date.parse('2026-06-10T00:00:00Z');

const PLANS = [
  planAtProvider('starter', 1000n),
  planAtProvider('pro', 3000n),
  planAtProvider('large', 9000n),
  planAtProvider('elsewhere', 500n, { planGroupId: 'pgrp_2' }),
  planAtProvider('euro', 500n, { price: { amount: 500n, currency: 'EUR' } }),
];
const plans = plansAtProvider(PLANS);

const scheduled = { ...STARTER, requestedAt: NOW };
const request = {
  ...scheduled,
  planId: 'plan_starter',
  unitAmount: '1000',
  planReference: 'ref_plan_starter',
  approvalUrl: 'https://b.test/approve',
  lookAt: NOW,
  expiresAt: END,
};

const local = (changes: Partial<RepairView> = {}): RepairView => ({
  ...PROVIDER_ROW,
  ...ON_PRO,
  planGroupId: 'pgrp_1',
  currency: 'USD',
  unitAmount: 2500n,
  planUnitAmount: 3000n,
  work: NO_WORK,
  ...changes,
});

describe('the provider’s word', () => {
  it('is all there afterwards, whatever was here', () => {
    const anyFacts = fc
      .record({
        status: fc.constantFrom('trialing', 'active', 'past_due', 'cancelled', 'expired' as const),
        planReference: fc.constantFrom('ref_plan_starter', 'ref_plan_pro', 'ref_plan_large'),
        quantity: fc.integer({ min: 1, max: 9 }),
        cancelAtPeriodEnd: fc.boolean(),
        cancelAt: fc.constantFrom(null, START + 1, END, END + 1, END + 90 * DAY_MS),
        days: fc.integer({ min: 1, max: 90 }),
        currentPeriodStart: fc.constantFrom(START, null),
      })
      .map(({ days, ...rest }) => withEnd({ ...facts(rest), currentPeriodEnd: NOW + days * DAY_MS }));
    const anyLocal = fc
      .record({
        provider: fc.constantFrom('provider_a', 'provider_b', 'provider_c' as const),
        status: fc.constantFrom('trialing', 'active', 'past_due' as const),
        seats: fc.integer({ min: 1, max: 9 }),
        cancelAtPeriodEnd: fc.boolean(),
        cancelAt: fc.constantFrom(null, START + 1, END, END + 1, END + 90 * DAY_MS),
        waits: fc.constantFrom('nothing', 'scheduled', 'asked' as const),
      })
      .map(({ waits, ...rest }) =>
        local({
          ...rest,
          ...(waits === 'scheduled' && { scheduled, scheduledInterval: 'month' as const }),
          ...(waits === 'asked' && { work: { ...NO_WORK, request } }),
        }),
      );
    fc.assert(
      fc.property(anyLocal, anyFacts, (before, said) => {
        const named = before.provider === 'provider_a' ? said : { ...said, cancelAt: null };
        const there = before.provider === 'provider_b' ? { ...named, cancelAtPeriodEnd: false } : named;
        const after = repairedByProvider(before, there, plans, NOW);
        const drift = driftOf(after, { kind: 'read', facts: there }, plans, NOW);
        expect(drift.differences).toEqual([]);
        expect(() => {
          requireMappable(before, there, plans, NOW);
        }).not.toThrow();
      }),
      cases(400),
    );
  });

  it('takes over the plan at its current price, and drops the scheduled change', () => {
    const before = local({ scheduled, scheduledInterval: 'month' });
    const after = repairedByProvider(before, facts({ planReference: 'ref_plan_large' }), plans, NOW);
    expect(after).toMatchObject({
      planId: 'plan_large',
      planSlug: 'large',
      unitAmount: 9000n,
      planUnitAmount: 9000n,
      scheduled: null,
      scheduledInterval: null,
    });
  });

  it('moves the end of the usage period with that of the billing period, whatever waits for it', () => {
    const end = END + 12 * DAY_MS;
    const said = facts({ planReference: 'ref_plan_pro', currentPeriodStart: null, currentPeriodEnd: end });
    const row = local({ provider: 'provider_b', scheduled, scheduledInterval: 'month' });
    const repaired = repairedByProvider(row, said, plans, NOW);
    expect(repaired).toMatchObject({ currentPeriodStart: START, currentPeriodEnd: end });
    expect(usagePeriod(repaired, 'billing_period', NOW)).toEqual({ start: START, end });
  });

  it('of the seats only leaves the period’s price unchanged', () => {
    const after = repairedByProvider(local(), facts({ quantity: 5 }), plans, NOW);
    expect(after).toMatchObject({ planId: 'plan_pro', seats: 5, unitAmount: 2500n });
  });

  it('keeps what provider B was asked for, because a late approval of it still counts', () => {
    const before = local({ provider: 'provider_b', work: { ...NO_WORK, request } });
    const after = repairedByProvider(before, facts({ planReference: 'ref_plan_large' }), plans, NOW);
    expect(after.work.request).toBeNull();
    expect(after.work.dropped).toMatchObject([{ planReference: 'ref_plan_starter' }]);
  });

  it.each([
    ['a plan that is none of ours', { planReference: 'price_of_others' }, 'plan_not_mapped'],
    ['a plan of another group', { planReference: 'ref_plan_elsewhere' }, 'plan_group_differs'],
    ['a plan in another currency', { planReference: 'ref_plan_euro' }, 'plan_currency_differs'],
    ['no seat at all', { quantity: 0 }, 'validation_failed'],
    ['more seats than there can be', { quantity: MAX_SEATS + 1 }, 'validation_failed'],
  ] as const)('on %s is refused, and changes nothing', (_, change, code) => {
    const said = facts(change);
    const refusal = refusalOf(() => {
      requireMappable(local(), said, plans, NOW);
    });
    expect(refusal.code).toBe(code);
    expect(repairedByProvider(local(), said, plans, NOW)).toEqual(local());
  });

  it('does not revive what has ended here', () => {
    const ended = local({ status: 'cancelled' });
    expect(repairedByProvider(ended, facts(), plans, NOW)).toEqual(ended);
    const refusal = refusalOf(() => {
      requireMappable(ended, facts(), plans, NOW);
    });
    expect(refusal.pointers).toEqual(['/take']);
  });
});

describe('our word', () => {
  it('is plan and seats for provider A, without proration: those of now, or those it was prepared for', () => {
    const change = { action: 'change', planReference: 'ref_plan_pro', quantity: 2, proration: 'none' };
    expect(callsToRestore(local(), ['plan', 'seats'], plans)).toEqual([change]);
    const sync = {
      state: 'prepared',
      planId: 'plan_starter',
      plan: 'starter',
      seats: 1,
      planReference: 'ref_plan_starter',
      boundary: END,
      attempts: 1,
      told: true,
      at: NOW,
      reason: null,
      retryAt: null,
    } as const;
    const prepared = local({ scheduled, work: { ...NO_WORK, sync } });
    expect(callsToRestore(prepared, ['plan'], plans)).toEqual([
      { ...change, planReference: 'ref_plan_starter', quantity: 1 },
    ]);
  });

  it.each(['provider_a', 'provider_c'] as const)('is whether it renews for %s', (provider) => {
    const field = ['cancelAtPeriodEnd'] as const;
    expect(callsToRestore(local({ provider }), field, plans)).toEqual([{ action: 'reactivate' }]);
    const ending = local({ provider, cancelAtPeriodEnd: true });
    expect(callsToRestore(ending, field, plans)).toEqual([{ action: 'cancel' }]);
  });

  it('ends at every provider what has ended here, and makes no other call', () => {
    for (const provider of ['provider_a', 'provider_b', 'provider_c'] as const) {
      const ended = local({ provider, status: 'cancelled' });
      expect(callsToRestore(ended, ['status'], plans)).toEqual([{ action: 'cancel' }]);
      expect(callsToRestore(local({ provider }), ['status', 'currentPeriodEnd'], plans)).toEqual([]);
    }
    expect(callsToRestore(local({ provider: 'provider_b' }), ['plan', 'seats'], plans)).toEqual([]);
    expect(callsToRestore(local({ provider: 'provider_c' }), ['plan'], plans)).toEqual([]);
  });

  it('is the older price of a subscription that the provider has moved to another plan', () => {
    const former = [
      { reference: 'price_newer', amount: 2800n },
      { reference: 'ref_plan_large', amount: 2500n },
      { reference: 'price_own', amount: 2500n },
    ];
    const formerPricesOf = (planId: string) => (planId === 'plan_pro' ? former : []);
    const sent = (row: RepairView) => callsToRestore(row, ['plan'], { ...plans, formerPricesOf });
    const calls = (planReference: string) => [
      { action: 'change', planReference, quantity: 2, proration: 'none' },
    ];
    // What is the name of another plan now is not its own.
    const own = { formerReferences: ['price_own'], unitAmount: '2500' };
    expect(sent(local())).toEqual([{ ...calls('ref_plan_pro')[0], ...own }]);
    expect(sent(local({ unitAmount: 3000n }))).toEqual(calls('ref_plan_pro'));
    expect(sent(local({ unitAmount: 2700n }))).toEqual(calls('ref_plan_pro'));
  });

  it('is the price that provider A showed before it was prepared, unless it is another plan’s', () => {
    const sent = (ownReference: string) => {
      const sync = syncMarker({ state: 'failed', ownReference });
      const row = local({ scheduled, unitAmount: 3000n, work: { ...NO_WORK, sync } });
      return callsToRestore(row, ['plan'], plans)[0];
    };
    const call = { action: 'change', planReference: 'ref_plan_pro', quantity: 2, proration: 'none' };
    expect(sent('ref_plan_pro')).toEqual(call);
    expect(sent('price_shown')).toEqual({ ...call, formerReferences: ['price_shown'], unitAmount: '3000' });
    // It had been moved there in the provider's dashboard before.
    expect(sent('ref_plan_large')).toEqual(call);
  });

  it('needs a name of the plan that is billed', () => {
    const unnamed = local({ planId: 'plan_gone', planSlug: 'gone' });
    expect(refusalOf(() => callsToRestore(unnamed, ['plan'], plans)).code).toBe('plan_not_mapped');
  });
});

describe('a repair from the provider’s state', () => {
  const refusedWith = (...fields: ('seats' | 'discount' | 'payment')[]) => {
    const differences = fields.map((field) => ({ field, local: 1, provider: 2, words: 'It differs.' }));
    return refusalOf(() => {
      requireWritable(differences);
    });
  };

  it('is refused if none of the differences is stored here', () => {
    const refusal = { code: 'validation_failed', pointers: ['/take'] };
    expect(refusedWith('discount')).toMatchObject(refusal);
    expect(refusedWith('payment', 'discount')).toMatchObject(refusal);
    for (const fields of [[], ['discount', 'seats']] as const)
      expect(() => refusedWith(...fields)).toThrow('It was not refused.');
  });
});
