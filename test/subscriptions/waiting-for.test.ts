import { NO_WORK } from '../../src/domain/provider-work';
import type { LifecycleView } from '../../src/domain/lifecycle';
import type { ScheduledChangeView } from '../../src/domain/display-scheduled-change';
import { waitingFor } from '../../src/subscriptions/waiting-for';
import { DAY_MS } from '../../src/domain/instant';
import { lifecycleRow } from '../support/lifecycle-row';

type View = LifecycleView & ScheduledChangeView;

const NOW = Date.UTC(2026, 11, 10);
const END = Date.UTC(2026, 11, 31);

const active: View = {
  ...lifecycleRow({ start: Date.UTC(2026, 10, 30), end: END }, { billingAnchor: END }),
  planSlug: 'pro',
  seats: 4,
  scheduled: null,
};

const toStarter = { scheduled: { planSlug: 'starter', seats: 3 }, scheduledInterval: 'month' } as const;
const unpaid = { paymentDueAt: NOW + 2 * DAY_MS };
const pastDue = { status: 'past_due', paymentDueAt: NOW - DAY_MS, pastDueSince: NOW - DAY_MS } as const;

test.each<[string | null, Partial<View>]>([
  ['The billing period ends at 2026-12-31T00:00:00.000Z.', {}],
  ['The billing period ends at 2026-12-31T00:00:00.000Z; then downgrade to starter × 3.', toStarter],
  ['The trial ends at 2026-12-31T00:00:00.000Z.', { status: 'trialing', trialEnd: END }],
  ['The open payment becomes past due at 2026-12-12T00:00:00.000Z if it is not paid.', unpaid],
  [
    'The open payment becomes past due at 2026-12-12T00:00:00.000Z if it is not paid; at 2026-12-31T00:00:00.000Z downgrade to starter × 3.',
    { ...unpaid, ...toStarter },
  ],
  ['The billing period ends at 2026-12-31T00:00:00.000Z.', pastDue],
  [
    'The past-due subscription expires at 2026-12-14T00:00:00.000Z if nothing is paid.',
    { ...pastDue, expireAfterDays: 5 },
  ],
  [
    'The past-due subscription expires at 2026-12-14T00:00:00.000Z if nothing is paid; if it is, at 2026-12-31T00:00:00.000Z downgrade to starter × 3.',
    { ...pastDue, ...toStarter, expireAfterDays: 5 },
  ],
  [
    'The subscription ends at 2026-12-31T00:00:00.000Z, with its billing period.',
    { ...toStarter, provider: 'provider_a', cancelAtPeriodEnd: true },
  ],
  [
    'The billing period ends at 2026-12-31T00:00:00.000Z, when the subscription is checked at the payment provider; then increase to 5 seats.',
    {
      provider: 'provider_b',
      scheduled: { planSlug: 'pro', seats: 5 },
      scheduledInterval: 'month',
    },
  ],
  [
    'The checkout expires at 2026-12-11T00:00:00.000Z if it is not paid.',
    { status: 'incomplete', incompleteUntil: NOW + DAY_MS },
  ],
  [null, { status: 'cancelled' }],
  [null, { status: 'expired' }],
  [
    'The billing period ends at 2026-12-31T00:00:00.000Z, when the subscription is checked at the payment provider.',
    { provider: 'provider_c' },
  ],
  [
    'The billing period ended at 2026-12-09T00:00:00.000Z; the next check at the payment provider is at 2026-12-11T00:00:00.000Z.',
    {
      provider: 'provider_a',
      currentPeriodEnd: NOW - DAY_MS,
      work: { ...NO_WORK, lookAgainAt: NOW + DAY_MS },
    },
  ],
  [
    'The billing period ended at 2026-12-09T00:00:00.000Z; the next check at the payment provider is at 2026-12-11T00:00:00.000Z; then change to starter × 3.',
    {
      ...toStarter,
      provider: 'provider_b',
      currentPeriodEnd: NOW - DAY_MS,
      work: { ...NO_WORK, lookAgainAt: NOW + DAY_MS },
    },
  ],
  [
    'The checkout expires at 2026-12-11T00:00:00.000Z if it is not paid.',
    { provider: 'provider_b', status: 'incomplete', incompleteUntil: NOW + DAY_MS },
  ],
  [null, { provider: 'provider_a', status: 'cancelled' }],
  [
    'The scheduled change is sent to the payment provider at 2026-12-30T18:00:00.000Z; at 2026-12-31T00:00:00.000Z downgrade to starter × 3.',
    { ...toStarter, provider: 'provider_a' },
  ],
  [
    'A change is waiting for the customer’s approval; the next check is at 2026-12-11T00:00:00.000Z.',
    {
      provider: 'provider_b',
      work: { ...NO_WORK, request: { lookAt: NOW + DAY_MS, expiresAt: NOW + 2 * DAY_MS } },
    },
  ],
  [
    'The payment provider has not confirmed a request; the next try is at 2026-12-11T00:00:00.000Z.',
    { provider: 'provider_c', work: { ...NO_WORK, unsettled: { retryAt: NOW + DAY_MS } } },
  ],
])('waits: %s', (expected, row) => {
  expect(waitingFor({ ...active, ...row }, NOW)).toBe(expected);
});

test.each<[string, Partial<View>]>([
  [
    'The billing period ended at 2026-12-09T00:00:00.000Z; its renewal is due.',
    { currentPeriodEnd: NOW - DAY_MS },
  ],
  [
    'The trial ended at 2026-12-10T00:00:00.000Z; the first paid period is about to begin.',
    { status: 'trialing', trialEnd: NOW },
  ],
  [
    'The open payment was due at 2026-12-09T00:00:00.000Z; the subscription is about to become past due.',
    { paymentDueAt: NOW - DAY_MS },
  ],
  [
    'No payment arrived by 2026-12-09T00:00:00.000Z; the subscription is about to expire.',
    { ...pastDue, expireAfterDays: 0 },
  ],
  [
    'The checkout was not paid by 2026-12-10T00:00:00.000Z; it is about to expire.',
    { status: 'incomplete', incompleteUntil: NOW },
  ],
  [
    'The billing period ended at 2026-12-09T00:00:00.000Z; the renewal is about to be checked at the payment provider.',
    { provider: 'provider_a', currentPeriodEnd: NOW - DAY_MS },
  ],
])('is due: %s', (expected, row) => {
  expect(waitingFor({ ...active, ...row }, NOW)).toBe(expected);
});
