import type { EntitledRow } from '../../src/usage/entitled-row-store';
import { PairState } from '../../src/usage/pair-state';
import type { ContextRow } from '../../src/usage/usage-context-store';
import { HOUR_MS } from '../../src/domain/instant';

const NOW = Date.parse('2026-03-10T12:00:00Z');

const subscription: EntitledRow = {
  subscriptionId: 'sub_1',
  planId: 'plan_1',
  planSlug: 'pro',
  provider: 'internal',
  status: 'active',
  seats: 1,
  startedAt: NOW - 10 * HOUR_MS,
  billingAnchor: NOW - 10 * HOUR_MS,
  timeZone: 'UTC',
  interval: 'month',
  formerRhythms: null,
  currentPeriodEnd: NOW + 500 * HOUR_MS,
  cancelAtPeriodEnd: false,
  cancelAt: null,
  pastDueSince: null,
  paymentDueAt: null,
  quota: '10',
  perSeat: false,
  resetInterval: 'billing_period',
  enforcement: 'hard',
  creditCost: null,
  rolloverPeriods: 0,
  rolloverMax: null,
  rolloverFirst: false,
  earlier: null,
  entityQuota: null,
  entityLimit: null,
  counterStart: null,
  alertedQuota: null,
  alertedPercent: null,
  quotaUsed: '0',
  rolloverUsed: '0',
  creditUsed: '0',
  overageUsed: '0',
  usedLater: '0',
};

const contextRow: ContextRow = {
  ...subscription,
  pair: '1',
  customerId: 'cus_1',
  featureId: 'feat_1',
  entitlementId: 'ent_1',
  graceDays: 3,
  expireAfterDays: 7,
  reportedDays: 35,
  graceMinutes: 60,
  clockOffsetMs: '0',
  credits: null,
  alertPercents: '{80,100}',
  creditsLowPercent: 20,
  held: null,
  featureKind: 'metered',
};
const policy = { graceDays: 3, expireAfterDays: 7 };

test('a subscription that ends while a batch reads gives its quota once', () => {
  const state = new PairState('ai_tokens', [contextRow], policy, NOW, []);
  // Another use of the batch predates the subscription, so the ended ones are read after the context.
  expect(state.asksForEnded(NOW - 20 * HOUR_MS, 1n)).toBe(true);
  const cancelled = { status: 'cancelled', cancelledAt: NOW, unpaidSince: null } as const;
  state.addEnded([
    { ...subscription, ...cancelled, use: '1', entitlementId: 'ent_1', alertPercents: '{80,100}' },
  ]);
  const { sources } = state.at(NOW - HOUR_MS);
  expect(sources.map(({ subscriptionId, quota }) => [subscriptionId, quota])).toEqual([
    ['sub_1', 10n * 10n ** 12n],
  ]);
});

test('thousands of reservations are held as one deduction, as they come and go', () => {
  const unit = 10n ** 12n;
  const held = (id: number, quantity: bigint) => ({
    id: `rsv_${id}`,
    featureId: 'feat_1',
    deductions: [
      {
        from: 'quota' as const,
        quantity,
        subscriptionId: 'sub_1',
        resetInterval: 'billing_period' as const,
        periodStart: subscription.startedAt,
      },
    ],
  });
  const thousands = Array.from({ length: 5_000 }, (_, id) => held(id, unit / 1_000n));
  const state = new PairState('ai_tokens', [contextRow], policy, NOW, thousands);
  const sums = () => state.at(null).sources.map(({ reservedQuota, reserved }) => [reservedQuota, reserved]);
  expect(sums()).toEqual([[unit * 5n, unit * 5n]]);
  expect(['rsv_1', 'rsv_2', 'rsv_2'].map((id) => state.release(id))).toEqual([true, true, false]);
  const left = unit * 5n - unit / 500n;
  expect(sums()).toEqual([[left, left]]);
  const more = held(5_000, unit);
  state.hold(more.id, more.deductions, []);
  expect(state.at(NOW - 1).sources).toMatchObject([{ reservedQuota: left + unit }]);
});
