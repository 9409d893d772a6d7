import { awaited, type Awaited } from '../../src/domain/awaited';
import type { LifecycleView } from '../../src/domain/lifecycle';
import { NO_WORK } from '../../src/domain/provider-work';
import { monthlyView } from '../workflows/fake-billing';

const at = (change: Partial<LifecycleView>): Awaited | null => awaited(monthlyView(0, 0, change));
const call = { retryAt: 0 };
const request = { lookAt: 0, expiresAt: 0 };

test.each<[Awaited | null, Partial<LifecycleView>]>([
  ['renewal', {}],
  ['renewal', { paymentDueAt: 5 }],
  ['trial_end', { status: 'trialing' }],
  ['change', { scheduledInterval: 'month' }],
  ['end', { cancelAtPeriodEnd: true, scheduledInterval: 'month' }],
  ['end', { cancelAt: 7 }],
  ['end', { status: 'trialing', cancelAtPeriodEnd: true }],
  ['payment', { status: 'past_due', cancelAtPeriodEnd: true }],
  ['approval', { status: 'past_due', work: { ...NO_WORK, request } }],
  ['provider', { work: { ...NO_WORK, request, unsettled: call } }],
  ['checkout', { status: 'incomplete', incompleteUntil: 9 }],
  [null, { status: 'cancelled' }],
  [null, { status: 'expired', cancelAtPeriodEnd: true }],
])('%s is awaited by %o', (expected, change) => {
  expect(at(change)).toBe(expected);
});
