import { NO_WORK } from '../../src/domain/provider-work';
import type { BilledSubscription } from '../../src/subscriptions/billed-subscription';
import { eventsOf } from '../../src/webhooks/reconcile/events-of-facts';

const at = (text: string): number => Date.parse(`${text}Z`);
const BEGAN = at('2026-01-15T08:00');

function subscription(changed: Partial<BilledSubscription>): BilledSubscription {
  const row = {
    externalId: 'acct',
    planSlug: 'pro',
    seats: 1,
    pricing: 'flat',
    work: NO_WORK,
    startedAt: BEGAN,
    cancelAtPeriodEnd: false,
    cancelAt: null,
    pastDueSince: null,
    ...changed,
  };
  return row as unknown as BilledSubscription;
}

const kinds = (before: Partial<BilledSubscription>, after: Partial<BilledSubscription>): string[] =>
  eventsOf(subscription(before), subscription(after), { openId: null, isSuspended: false }).map(
    ({ kind }) => kind,
  );

test('a late payment of the first period at provider B, which reports it only then, renews nothing', () => {
  const offered = { currentPeriodStart: at('2026-01-15T07:30'), currentPeriodEnd: at('2026-02-15T07:30') };
  const paid = { currentPeriodStart: BEGAN, currentPeriodEnd: at('2026-02-15T10:00') };
  expect(kinds({ status: 'past_due', ...offered }, { status: 'active', ...paid })).toEqual(['recovered']);
});

test('a late payment with which the next period begins renews', () => {
  const first = { currentPeriodStart: BEGAN, currentPeriodEnd: at('2026-02-15T10:00') };
  const next = { currentPeriodStart: first.currentPeriodEnd, currentPeriodEnd: at('2026-03-15T10:00') };
  expect(kinds({ status: 'past_due', ...first }, { status: 'active', ...next })).toEqual([
    'period_turned',
    'recovered',
  ]);
});

test('a subscription that is first read when it is past due begins and is past due', () => {
  expect(kinds({ status: 'incomplete' }, { status: 'past_due' })).toEqual(['activated', 'became_past_due']);
  expect(kinds({ status: 'incomplete' }, { status: 'trialing' })).toEqual(['activated']);
});
