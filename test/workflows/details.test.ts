import { DAY_MS } from '../../src/domain/instant';
import type { SubscriptionView } from '../../workflows/activity-types';
import { describe as sentence } from '../../workflows/details';
import { lifecycleRow } from '../support/lifecycle-row';

const END = Date.UTC(2026, 11, 31, 23);

const active: SubscriptionView = {
  ...lifecycleRow({ start: Date.UTC(2026, 10, 30, 23), end: END }, { billingAnchor: END }),
  planSlug: 'pro',
  seats: 5,
  scheduled: null,
  clockOffset: 0,
};

const toStarter = {
  scheduled: { planSlug: 'starter', seats: 3 },
  scheduledInterval: 'month',
} as const;
const pastDue = {
  status: 'past_due',
  paymentDueAt: END - 2 * DAY_MS,
  pastDueSince: END - 2 * DAY_MS,
} as const;
/** Cancelled at the period's end. */
const atA = { provider: 'provider_a', cancelAtPeriodEnd: true } as const;

test.each<[string, Partial<SubscriptionView>]>([
  ['Active on pro × 5, renews 31 Dec 2026', {}],
  ['Active on pro, renews 31 Dec 2026', { seats: 1 }],
  ['Active on pro × 5, renews 1 Jan 2027', { timeZone: 'Europe/Berlin' }],
  [
    'Active on pro × 5, payment due 7 Dec 2026, renews 31 Dec 2026',
    { paymentDueAt: Date.UTC(2026, 11, 7, 23) },
  ],
  ['Active on pro × 5, renews 31 Dec 2026, then downgrade to starter × 3', toStarter],
  [
    'Active on pro × 5, renews 31 Dec 2026, then change to pro-yearly × 5',
    { scheduled: { planSlug: 'pro-yearly', seats: 5 }, scheduledInterval: 'year' },
  ],
  [
    'Active on pro × 5, renews 31 Dec 2026, then decrease to 1 seat',
    { scheduled: { planSlug: 'pro', seats: 1 }, scheduledInterval: 'month' },
  ],
  ['In trial on pro × 5, first paid period from 31 Dec 2026', { status: 'trialing', trialEnd: END }],
  ['In trial on pro × 5, ends 31 Dec 2026', { ...atA, status: 'trialing', trialEnd: END }],
  [
    'In trial on pro × 5, first paid period from 31 Dec 2026, then downgrade to starter × 3',
    { ...toStarter, provider: 'provider_a', status: 'trialing', trialEnd: END },
  ],
  ['Past due on pro × 5 since 29 Dec 2026, renews 31 Dec 2026, expires 28 Jan 2027', pastDue],
  // A payment provider decides when it gives up.
  [
    'Past due on pro × 5 since 1 Nov 2026, renews 31 Dec 2026',
    { ...pastDue, provider: 'provider_a', pastDueSince: END - 60 * DAY_MS },
  ],
  ['Past due on pro × 5 since 29 Dec 2026, ends 31 Dec 2026', { ...pastDue, ...atA }],
  [
    'Past due on pro × 5 since 29 Dec 2026, renews 31 Dec 2026, then downgrade to starter × 3, expires 28 Jan 2027',
    { ...pastDue, ...toStarter },
  ],
  // A subscription that ends before or at the renewal does not renew.
  [
    'Past due on pro × 5 since 1 Dec 2026, expires 31 Dec 2026',
    { ...pastDue, ...toStarter, pastDueSince: END - 30 * DAY_MS },
  ],
  ['Past due on pro × 5, renews 31 Dec 2026', { ...pastDue, paymentDueAt: null, pastDueSince: null }],
  ['Not paid yet: pro × 5, expires 31 Dec 2026', { status: 'incomplete', incompleteUntil: END }],
  ['Cancelled on pro × 5', { status: 'cancelled' }],
  ['Expired on pro × 5', { status: 'expired' }],
])('"%s"', (expected, row) => {
  expect(sentence({ ...active, ...row })).toBe(expected);
});
