import fc from 'fast-check';
import { driftOf, type BillingAtProvider, type DriftReading, type DriftView } from '../../src/domain/drift';
import type { PriceAtProvider } from '../../src/domain/plan-price-comparison';
import type { BilledFacts } from '../../src/domain/reconciled-view';
import { NO_WORK, type ProviderWork } from '../../src/domain/provider-work';
import type { PlansAtProvider } from '../../src/domain/terms-at-provider';
import { cases } from './property';
import {
  billedFacts as facts,
  END,
  planAtProvider,
  plansAtProvider,
  START,
  STARTER,
  syncMarker,
} from './provider-row';
import type { SyncMarker } from '../../src/domain/synchronizer-marker';
import { DAY_MS, MINUTE_MS } from '../../src/domain/instant';

const NOW = Date.parse('2026-06-10T00:00:00Z');

const PLANS = ['starter', 'pro', 'large'].map((slug) => planAtProvider(slug, 1000n));
const plans = plansAtProvider(PLANS);

const local = (changes: Partial<DriftView> = {}): DriftView => ({
  provider: 'provider_a',
  status: 'active',
  planId: 'plan_pro',
  planSlug: 'pro',
  seats: 2,
  pricing: 'per_seat',
  cancelAtPeriodEnd: false,
  billingAnchor: START,
  currentPeriodStart: START,
  currentPeriodEnd: END,
  trialEnd: null,
  unitAmount: 1000n,
  planUnitAmount: 1000n,
  currency: 'USD',
  interval: 'month',
  scheduled: null,
  work: NO_WORK,
  ...changes,
});
const reading = (changes: Partial<BilledFacts> = {}): DriftReading => ({
  kind: 'read',
  facts: facts(changes),
});
const fieldsOf = (view: DriftView, read: DriftReading, now = NOW): string[] =>
  driftOf(view, read, plans, now).differences.map(({ field }) => field);
const work = (changes: Partial<ProviderWork>): ProviderWork => ({ ...NO_WORK, ...changes });

const terms = { pricing: 'per_seat', interval: 'month', requestedAt: NOW } as const;
const scheduled = { ...STARTER, requestedAt: NOW };
const request = {
  ...terms,
  planId: 'plan_large',
  planSlug: 'large',
  seats: 3,
  unitAmount: '9000',
  planReference: 'ref_plan_large',
  approvalUrl: null,
  lookAt: NOW,
  expiresAt: END,
};
const marker = (state: SyncMarker['state'], told = true): SyncMarker =>
  syncMarker({ state, told, planReference: 'ref_plan_starter' });

describe('what agrees', () => {
  const provider = fc.constantFrom('provider_a', 'provider_b', 'provider_c' as const);
  const plan = fc.constantFrom(...PLANS);
  const seats = fc.integer({ min: 1, max: 40 });
  const status = fc.constantFrom('trialing', 'active', 'past_due' as const);

  it('is no drift, whoever bills and whatever the plan, the seats, the state and the period are', () => {
    fc.assert(
      fc.property(
        provider,
        plan,
        seats,
        status,
        fc.boolean(),
        fc.integer({ min: -30, max: 365 }),
        (by, { id, slug }, many, state, ends, days) => {
          const end = NOW + days * DAY_MS;
          const cancelAtPeriodEnd = by !== 'provider_b' && ends;
          const view = local({
            provider: by,
            status: state,
            planId: id,
            planSlug: slug,
            seats: many,
            cancelAtPeriodEnd,
            currentPeriodEnd: end,
          });
          const found = driftOf(
            view,
            reading({
              status: state,
              planReference: `ref_${id}`,
              quantity: many,
              cancelAtPeriodEnd,
              currentPeriodEnd: end,
            }),
            plans,
            NOW,
          );
          expect(found).toMatchObject({ inSync: true, differences: [] });
        },
      ),
      cases(300),
    );
  });

  it('is each single difference found, and no other', () => {
    const single = fc.constantFrom(
      ['status', { status: 'cancelled' }],
      ['status', { status: 'past_due' }],
      ['plan', { planReference: 'ref_plan_large' }],
      ['seats', { quantity: 7 }],
      ['cancelAtPeriodEnd', { cancelAtPeriodEnd: true }],
      ['currentPeriodEnd', { currentPeriodEnd: END + DAY_MS }],
      ['currentPeriodEnd', { currentPeriodEnd: END - DAY_MS }],
    ) as fc.Arbitrary<[string, Partial<BilledFacts>]>;
    fc.assert(
      fc.property(provider, single, (by, [field, change]) => {
        // C has no seats, and B has no scheduled end.
        fc.pre(!(by === 'provider_c' && field === 'seats'));
        fc.pre(!(by === 'provider_b' && field === 'cancelAtPeriodEnd'));
        const view = local({ provider: by });
        expect(driftOf(view, reading(change), plans, NOW).inSync).toBe(false);
        expect(fieldsOf(view, reading(change))).toEqual([field]);
      }),
      cases(200),
    );
  });

  it('is said in words that name both sides', () => {
    const { differences } = driftOf(local(), reading({ planReference: 'ref_plan_large' }), plans, NOW);
    expect(differences).toEqual([
      {
        field: 'plan',
        local: 'pro',
        provider: 'large',
        words: 'Here it is on pro; the payment provider bills large.',
      },
    ]);
  });
});

describe('what waits for its boundary is no drift', () => {
  it('while provider A is prepared for the renewal, either price is right, and afterwards only the new one', () => {
    const waiting = (sync: SyncMarker) => local({ scheduled, work: work({ sync }) });
    const starter = reading({ planReference: 'ref_plan_starter', quantity: 1 });
    for (const state of ['claimed', 'failed'] as const) {
      expect(fieldsOf(waiting(marker(state)), starter)).toEqual([]);
      expect(fieldsOf(waiting(marker(state)), reading())).toEqual([]);
    }
    expect(fieldsOf(waiting(marker('prepared')), starter)).toEqual([]);
    expect(fieldsOf(waiting(marker('prepared')), reading())).toEqual(['plan', 'seats']);
    // A change that was never sent cannot be at the provider.
    expect(fieldsOf(waiting(marker('failed', false)), starter)).toEqual(['plan', 'seats']);
  });

  it('provider B shows what its customer has confirmed, and may show what is asked for', () => {
    const shown = reading({ planReference: 'ref_plan_large', quantity: 3 });
    const requested = local({ provider: 'provider_b', work: work({ request }) });
    expect(fieldsOf(requested, shown)).toEqual([]);
    expect(fieldsOf(requested, reading())).toEqual([]);
    const confirmed = local({ provider: 'provider_b', scheduled: { ...scheduled, seats: 2 } });
    expect(fieldsOf(confirmed, reading({ planReference: 'ref_plan_starter' }))).toEqual([]);
    expect(fieldsOf(confirmed, reading())).toEqual(['plan']);
    expect(fieldsOf(local({ provider: 'provider_b' }), shown)).toEqual(['plan', 'seats']);
  });

  it('the plan of one change with the seats of another is neither', () => {
    const requested = local({ provider: 'provider_b', work: work({ request }) });
    expect(fieldsOf(requested, reading({ planReference: 'ref_plan_large', quantity: 2 }))).toEqual(['plan']);
  });

  it('a period that is just turning is read back, and one that has long been over is not', () => {
    const next = reading({ currentPeriodStart: END, currentPeriodEnd: END + 30 * DAY_MS });
    for (const minutes of [-4, 0, 10, 59])
      expect(fieldsOf(local(), next, END + minutes * MINUTE_MS)).toEqual([]);
    expect(fieldsOf(local(), next, END + 61 * MINUTE_MS)).toEqual(['currentPeriodEnd']);
    expect(fieldsOf(local(), next, END - 6 * MINUTE_MS)).toEqual(['currentPeriodEnd']);
  });

  it('what was to end with its period may have ended there a moment ago; anything else has not', () => {
    const ended = reading({ status: 'cancelled', currentPeriodEnd: null });
    const at = END + 5 * MINUTE_MS;
    expect(fieldsOf(local({ cancelAtPeriodEnd: true }), ended, at)).toEqual([]);
    expect(fieldsOf(local(), ended, at)).toEqual(['status']);
    expect(fieldsOf(local({ cancelAtPeriodEnd: true }), ended, NOW)).toEqual(['status']);
  });

  it('a trial that is over counts as active', () => {
    const trial = local({ status: 'trialing', trialEnd: NOW - 1 });
    expect(fieldsOf(trial, reading())).toEqual([]);
    expect(fieldsOf(local({ status: 'trialing', trialEnd: NOW + 1 }), reading())).toEqual(['status']);
  });
});

describe('what has ended', () => {
  it.each(['cancelled', 'expired'] as const)('is the same however it ended there (%s here)', (status) => {
    for (const there of ['cancelled', 'expired'] as const) {
      const found = driftOf(local({ status }), reading({ status: there, quantity: 9 }), plans, NOW);
      expect(found).toEqual({ inSync: true, differences: [], unverifiable: [], notes: [] });
    }
    expect(driftOf(local({ status }), { kind: 'missing' }, plans, NOW).inSync).toBe(true);
  });

  it('differs where the provider goes on billing it, and not where it runs out there, or was never paid', () => {
    expect(fieldsOf(local({ status: 'expired' }), reading({ status: 'incomplete' }))).toEqual([]);
    expect(fieldsOf(local({ status: 'cancelled' }), reading())).toEqual(['status']);
    expect(fieldsOf(local({ status: 'cancelled' }), reading({ cancelAtPeriodEnd: true }))).toEqual([]);
  });

  it('is open here and not known there', () => {
    expect(fieldsOf(local(), { kind: 'missing' })).toEqual(['existence']);
  });
});

describe('what cannot be compared', () => {
  const unverifiable = (view: DriftView, read: DriftReading) => {
    const { inSync, differences, unverifiable: what } = driftOf(view, read, plans, NOW);
    expect(differences).toEqual([]);
    return { inSync, fields: what.map(({ field, code }) => `${field}: ${code}`) };
  };

  it('leaves the rest in sync if the provider never reports it', () => {
    expect(unverifiable(local({ provider: 'provider_c' }), reading({ quantity: null }))).toEqual({
      inSync: true,
      fields: ['seats: not_exposed'],
    });
    expect(
      unverifiable(
        local({ provider: 'provider_c', cancelAtPeriodEnd: true }),
        reading({ cancelAtPeriodEnd: true, currentPeriodEnd: null }),
      ),
    ).toEqual({ inSync: true, fields: ['seats: not_exposed', 'currentPeriodEnd: not_exposed'] });
  });

  it('is the end of a period that provider B has not begun, because its first payment failed', () => {
    const first = { currentPeriodStart: null, beganAt: NOW, currentPeriodEnd: NOW };
    expect(
      unverifiable(
        local({ provider: 'provider_b', status: 'past_due' }),
        reading({ ...first, status: 'past_due' }),
      ),
    ).toEqual({ inSync: true, fields: ['currentPeriodEnd: not_exposed'] });
  });

  it('names the plan that no plan here is, and does not guess', () => {
    const found = driftOf(local(), reading({ planReference: 'price_of_others' }), plans, NOW);
    expect(found.inSync).toBeNull();
    expect(found.unverifiable[0]?.reason).toContain('"price_of_others"');
    expect(unverifiable(local(), reading({ planReference: null }))).toEqual({
      inSync: null,
      fields: ['plan: plan_unknown'],
    });
  });

  it('is everything where the provider was not read, where a call is open, and in local billing', () => {
    const unread = { kind: 'unread', reason: 'It did not answer.' } as const;
    expect(driftOf(local(), unread, plans, NOW)).toMatchObject({ inSync: null, differences: [] });
    expect(driftOf(local(), unread, plans, NOW).unverifiable).toHaveLength(14);
    const unsettled = {
      operationId: 'op_1',
      intent: { kind: 'cancel' },
      calls: [],
      key: 'k',
      since: NOW,
      tries: 0,
      retryAt: NOW,
    } as const;
    const open = local({ work: work({ unsettled: { ...unsettled, calls: [] } }) });
    expect(driftOf(open, reading({ quantity: 9 }), plans, NOW).inSync).toBeNull();
    expect(driftOf(local({ status: 'incomplete' }), reading(), plans, NOW).inSync).toBeNull();
    expect(driftOf(local({ provider: 'internal' }), reading(), plans, NOW).unverifiable[0]?.code).toBe(
      'local',
    );
  });
});

describe('what a subscription is billed by', () => {
  const price = (changes: Partial<PriceAtProvider> = {}): PriceAtProvider => ({
    reference: 'ref_plan_pro',
    amount: '1000',
    currency: 'USD',
    interval: { unit: 'month', count: 1 },
    perSeat: true,
    taxBehavior: null,
    product: 'prod_pro',
    unverifiable: null,
    ...changes,
  });
  const billed = (
    billing: BillingAtProvider,
    view: Partial<DriftView> = {},
    shown: Partial<BilledFacts> = {},
  ) => driftOf(local(view), { kind: 'read', facts: facts(shown), billing }, plans, NOW);

  test('equal values are no difference', () => {
    const found = billed({
      price: price(),
      otherItems: [],
      trialEnd: null,
      discounts: [],
      pausedCollection: null,
    });
    expect(found).toEqual({ inSync: true, differences: [], unverifiable: [], notes: [] });
  });

  test.each<[string, BillingAtProvider, [string, unknown, unknown][]]>([
    ['another amount', { price: price({ amount: '700' }) }, [['price', '1000', '700']]],
    ['another currency', { price: price({ currency: 'EUR' }) }, [['currency', 'USD', 'EUR']]],
    [
      'another interval',
      { price: price({ interval: { unit: 'month', count: 3 } }) },
      [['interval', 'month', '3 month']],
    ],
    [
      'further items',
      {
        otherItems: [
          { planReference: 'ref_plan_large', quantity: 2 },
          { planReference: 'price_x', quantity: null },
        ],
      },
      [['items', 'none besides the plan', 'ref_plan_large × 2, price_x × 1']],
    ],
    ['a trial', { trialEnd: NOW + DAY_MS }, [['trialEnd', 'none', new Date(NOW + DAY_MS).toISOString()]]],
    ['a discount', { discounts: ['di_1'] }, [['discount', 'none', 'di_1']]],
    ['a paused collection', { pausedCollection: 'void' }, [['pausedCollection', 'collects', 'void']]],
  ])('%s there differs, and both values are shown', (_, billing, expected) => {
    const { inSync, differences } = billed(billing);
    expect(inSync).toBe(false);
    expect(differences.map((one) => [one.field, one.local, one.provider])).toEqual(expected);
  });

  test('a trial that is over decides nothing any more', () => {
    expect(billed({ trialEnd: NOW - DAY_MS }, { trialEnd: null }).inSync).toBe(true);
  });

  test('an older price is no difference, and is said', () => {
    const note = [{ field: 'price', code: 'older_price' }];
    // The plan costs more now; the provider's price is the one that was sold.
    const kept = billed({ price: price() }, { planUnitAmount: 1500n });
    expect(kept).toMatchObject({ inSync: true, differences: [], unverifiable: [], notes: note });
    expect(kept.notes[0]?.words).toBe(
      'The payment provider still charges an older price, 10.00 USD a month a seat. pro now costs 15.00 USD a month a seat.',
    );
    // The plan has a different name at the provider now.
    const older = { price: price({ reference: 'price_old' }) };
    expect(billed(older, { planUnitAmount: 1500n }, { planReference: 'price_old' })).toMatchObject({
      inSync: true,
      unverifiable: [],
      notes: note,
    });
  });

  test('an older price stays one after the renewal at which the row turned, and under a name that no plan has', () => {
    const remembering: PlansAtProvider = {
      ...plans,
      formerPricesOf: (planId) =>
        planId === 'plan_pro'
          ? ['price_old', 'ref_plan_pro', 'ref_plan_large'].flatMap((reference) =>
              [800n, 900n].map((amount) => ({ reference, amount })),
            )
          : [],
    };
    const compared = (reference: string, amount: string, quantity = 2) => {
      const billing = { price: price({ reference, amount }) };
      const read = { kind: 'read', facts: facts({ planReference: reference, quantity }), billing } as const;
      return driftOf(local({ unitAmount: 1500n, planUnitAmount: 1500n }), read, remembering, NOW);
    };
    const note = [{ field: 'price', code: 'older_price' }];
    for (const reference of ['price_old', 'ref_plan_pro']) {
      for (const amount of ['800', '900'])
        expect(compared(reference, amount)).toMatchObject({ inSync: true, unverifiable: [], notes: note });
    }
    // The note covers the price only: other fields still differ.
    expect(compared('price_old', '900', 3)).toMatchObject({ differences: [{ field: 'seats' }], notes: note });
    // An amount that the plan never cost under that name is a difference. A name that another plan has now belongs to
    // that plan.
    expect(compared('price_old', '700')).toMatchObject({ differences: [{ field: 'price' }], notes: [] });
    expect(compared('ref_plan_large', '900')).toMatchObject({ differences: [{ field: 'plan' }], notes: [] });
    // Without a price, the name alone identifies the plan.
    const unread = { kind: 'read', facts: facts({ planReference: 'price_old' }) } as const;
    expect(driftOf(local(), unread, remembering, NOW)).toMatchObject({ inSync: true, unverifiable: [] });
  });

  test('a price that neither the plan nor the period has is none of ours', () => {
    const other = { price: price({ reference: 'price_x', amount: '700' }) };
    expect(billed(other, {}, { planReference: 'price_x' })).toMatchObject({
      inSync: null,
      unverifiable: [{ field: 'plan', code: 'plan_unknown' }],
      notes: [],
    });
  });

  test('a price that the provider does not state leaves the rest in sync', () => {
    const tiered = { code: 'tiered', reason: 'It is tiered.' } as const;
    expect(billed({ price: price({ amount: null, unverifiable: tiered }) })).toMatchObject({
      inSync: true,
      unverifiable: [{ field: 'price', code: 'not_exposed', reason: 'It is tiered.' }],
    });
  });
});
