import {
  callsToMake,
  hasTakenEffect,
  isRevertingPrice,
  mayHaveRenewed,
  providerCallsOf,
  withPendingCall,
  withScheduled,
} from '../../src/domain/provider-calls';
import {
  NO_WORK,
  type ProviderCall,
  type ProviderIntent,
  type PendingCall,
} from '../../src/domain/provider-work';
import { ON_PRO, syncMarker } from './provider-row';
import type { SyncMarker } from '../../src/domain/synchronizer-marker';

const END = 2_000;

const marker = (changes: Partial<SyncMarker> = {}): SyncMarker =>
  syncMarker({ seats: 2, boundary: 1_000, at: 1, ...changes });
const upgrade: ProviderIntent = {
  kind: 'change_now',
  direction: 'upgrade',
  to: {
    planId: 'plan_large',
    planSlug: 'large',
    seats: 3,
    unitAmount: '9000',
    pricing: 'per_seat',
    interval: 'month',
    planReference: 'price_large',
    requestedAt: 1,
  },
};
const restore: ProviderCall = {
  action: 'change',
  planReference: 'price_pro',
  quantity: 2,
  proration: 'none',
};
const charge: ProviderCall = {
  action: 'change',
  planReference: 'price_large',
  quantity: 3,
  proration: 'invoice_now',
};

const callsOf = (intent: ProviderIntent, sync: SyncMarker | null): ProviderCall[] =>
  providerCallsOf(
    intent,
    { ...ON_PRO, provider: 'provider_a', unitAmount: 3000n, work: { ...NO_WORK, sync } },
    'price_pro',
  );

it('is asked for a flat plan once, however many seats it has', () => {
  const flat = {
    planId: 'plan_flat',
    planSlug: 'flat',
    seats: 5,
    unitAmount: '9000',
    pricing: 'flat',
  } as const;
  const to = { ...flat, interval: 'month', planReference: 'price_flat', requestedAt: 1 } as const;
  expect(callsOf({ kind: 'change_now', direction: 'upgrade', to }, null)).toEqual([
    { action: 'change', planReference: 'price_flat', quantity: 1, proration: 'invoice_now' },
  ]);
  const own = {
    id: 'sub_1',
    provider: 'provider_a',
    planId: 'plan_flat',
    seats: 5,
    unitAmount: 9000n,
    pricing: 'flat',
    work: { ...NO_WORK, sync: marker() },
  } as const;
  expect(providerCallsOf({ kind: 'withdraw' }, own, 'price_flat')).toMatchObject([{ quantity: 1 }]);
});

describe('what provider A is asked', () => {
  it.each([
    ['cancel', { kind: 'cancel' }, [{ action: 'cancel' }]],
    ['upgrade', upgrade, [charge]],
    ['withdraw', { kind: 'withdraw' }, []],
  ] as const)('for a %s, after it takes back a price that it may have been told of', (_, intent, own) => {
    expect(callsOf(intent, null)).toEqual(own);
    expect(callsOf(intent, marker({ state: 'failed', attempts: 2, told: false }))).toEqual(own);
    expect(callsOf(intent, marker({ state: 'prepared' }))).toEqual([restore, ...own]);
    // It may still arrive there.
    for (const state of ['claimed', 'failed'] as const)
      expect(callsOf(intent, marker({ state }))).toEqual([{ ...restore, supersedes: 'sub_1-1' }, ...own]);
    const superseding = { ...restore, supersedes: 'sub_1-3', alsoSupersedes: ['sub_1-1', 'sub_1-2'] };
    const sentAt = [1, 2, 3];
    expect(callsOf(intent, marker({ state: 'failed', sentAt }))).toEqual([superseding, ...own]);
    const earlier = { ...restore, supersedes: 'sub_1-1' };
    expect(callsOf(intent, marker({ state: 'prepared', sentAt: [1] }))).toEqual([earlier, ...own]);
  });

  it('for more seats of the plan of now, at the price that they have there', () => {
    const seats: ProviderIntent = {
      ...upgrade,
      to: { ...upgrade.to, planId: 'plan_pro', planReference: 'price_pro_new' },
    };
    const kept = { ...charge, keepsPrice: true, unitAmount: '3000' };
    expect(callsOf(seats, null)).toEqual([{ ...kept, planReference: 'price_pro_new' }]);
    // Recognized as made by a repeated attempt, which would otherwise take the seats back.
    const calls = callsOf(seats, marker({ state: 'prepared' }));
    const made = { ...kept, planReference: 'price_pro' };
    expect(calls).toEqual([restore, made]);
    expect(callsToMake(calls, { planReference: 'price_pro', quantity: 3 })).toEqual([made]);
  });

  it('is not to take back what a change that it shows came after', () => {
    const calls = [restore, charge];
    expect(callsToMake(calls, { planReference: 'price_large', quantity: 3 })).toEqual([charge]);
    expect(callsToMake(calls, { planReference: 'price_large', quantity: 2 })).toEqual(calls);
    expect(callsToMake(calls, { planReference: 'price_starter', quantity: 2 })).toEqual(calls);
    const cancel = [restore, { action: 'cancel' } as const];
    expect(callsToMake(cancel, { planReference: 'price_pro', quantity: 2 })).toEqual(cancel);
  });

  it('do not take back a price at which the renewal was charged', () => {
    const prepared = { planReference: 'price_starter', quantity: 2 };
    const cancel = { action: 'cancel' } as const;
    expect(callsToMake([restore, cancel], prepared, true)).toEqual([cancel]);
    expect(callsToMake([restore], prepared, true)).toBeNull();
    expect(callsToMake([restore, charge], prepared, true)).toBeNull();
    // The price had been restored before the renewal.
    const restored = { planReference: restore.planReference, quantity: restore.quantity };
    expect(callsToMake([restore, cancel], restored, true)).toEqual([restore, cancel]);
    expect(callsToMake([cancel], prepared, true)).toEqual([cancel]);
  });
});

describe('a claim', () => {
  const unsettled = (calls: ProviderCall[]): PendingCall => ({
    operationId: 'op_1',
    intent: { kind: 'cancel' },
    calls,
    key: 'op_1-1',
    since: 5,
    tries: 0,
    retryAt: 6,
  });

  it('that reverts a prepared price makes its state unknown', () => {
    const work = withPendingCall({ ...NO_WORK, sync: marker() }, unsettled([restore, { action: 'cancel' }]));
    expect(work).toMatchObject({ sync: { state: 'claimed', at: 5 }, unsettled: { key: 'op_1-1' } });
    expect(isRevertingPrice(work)).toBe(true);
    expect(isRevertingPrice({ ...work, unsettled: null })).toBe(false);
  });

  it('of anything else leaves the marker as it is', () => {
    const sync = marker();
    const upgrade: ProviderCall = { ...restore, planReference: 'price_large', proration: 'invoice_now' };
    for (const call of [{ action: 'cancel' } as const, upgrade]) {
      const work = withPendingCall({ ...NO_WORK, sync }, unsettled([call]));
      expect(work.sync).toBe(sync);
      expect(isRevertingPrice(work)).toBe(false);
    }
    // Provider B has no marker; its changes are requested without proration too.
    expect(isRevertingPrice(withPendingCall(NO_WORK, unsettled([restore])))).toBe(false);
  });
});

it('may have been charged at the prepared price from the boundary on, if that was sent to provider A', () => {
  const view = (sync: SyncMarker | null, provider: 'provider_a' | 'provider_b' = 'provider_a') => ({
    provider,
    work: { sync },
    currentPeriodEnd: END,
  });
  expect(mayHaveRenewed(view(marker()), END)).toBe(true);
  expect(mayHaveRenewed(view(marker()), END - 1)).toBe(false);
  expect(mayHaveRenewed(view(marker({ told: false })), END)).toBe(false);
  expect(mayHaveRenewed(view(null), END)).toBe(false);
  expect(mayHaveRenewed(view(marker(), 'provider_b'), END)).toBe(false);
});

it('does not wait for the retry pause of another change, and remembers that the provider may have that change', () => {
  const failed = marker({ state: 'failed', reason: 'a time-out', retryAt: 900 });
  const work = { ...NO_WORK, sync: failed };
  expect(withScheduled(work, { planId: 'plan_starter', seats: 2 })).toEqual(work);
  for (const terms of [
    { planId: 'plan_pro', seats: 2 },
    { planId: 'plan_starter', seats: 1 },
  ]) {
    expect(withScheduled(work, terms).sync).toEqual({ ...failed, retryAt: null });
  }
  expect(withScheduled(NO_WORK, { planId: 'plan_pro', seats: 2 })).toEqual(NO_WORK);
});

test.each([
  ['cancel', { status: 'cancelled' }, true],
  ['cancel', { status: 'expired' }, true],
  ['cancel', { cancelAtPeriodEnd: true }, true],
  ['cancel', { cancelAt: END }, true],
  ['cancel', { cancelAt: END + 1 }, false],
  ['cancel', {}, false],
  ['reactivate', {}, true],
  ['reactivate', { cancelAtPeriodEnd: true }, false],
  ['reactivate', { cancelAt: END + 1 }, false],
  ['reactivate', { status: 'cancelled' }, false],
  ['withdraw', {}, false],
] as const)('%s: %j shows that it has taken effect: %s', (kind, more, expected) => {
  const view = { status: 'active', cancelAtPeriodEnd: false, currentPeriodEnd: END, ...more } as const;
  expect(hasTakenEffect({ kind }, view)).toBe(expected);
});
