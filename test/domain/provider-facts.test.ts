import { DAY_MS, HOUR_MS } from '../../src/domain/instant';
import {
  isFirstPaymentDue,
  isSameInstant,
  withProviderFacts,
  type ProvidedView,
  type ProviderFacts,
} from '../../src/domain/provider-facts';
import { SUBSCRIPTION_STATUSES } from '../../src/domain/subscription-types';
import { lifecycleRow } from '../support/lifecycle-row';

const start = Date.UTC(2026, 0, 1);
const end = Date.UTC(2026, 1, 1);
const next = Date.UTC(2026, 2, 1);
const now = end + DAY_MS;

const view: ProvidedView = {
  ...lifecycleRow({ start, end }, { provider: 'provider_c' }),
  startedAt: start,
  cancelAtPeriodEnd: false,
  cancelAt: null,
  cancelledAt: null,
};
const facts: ProviderFacts = {
  status: 'active',
  currentPeriodStart: null,
  currentPeriodEnd: null,
  cancelAtPeriodEnd: false,
};
const occasion = { now, failedAt: null };

test('facts that say the same change nothing, and facts written twice are written once', () => {
  expect(withProviderFacts(view, facts, occasion)).toEqual(view);
  for (const status of SUBSCRIPTION_STATUSES) {
    for (const reported of SUBSCRIPTION_STATUSES) {
      const one = withProviderFacts(
        { ...view, status },
        { ...facts, status: reported, currentPeriodEnd: next },
        occasion,
      );
      const again = withProviderFacts(one, { ...facts, status: reported, currentPeriodEnd: next }, occasion);
      expect([status, reported, again]).toEqual([status, reported, one]);
    }
  }
});

test('an end without a start continues the period that ended', () => {
  expect(withProviderFacts(view, { ...facts, currentPeriodEnd: next }, occasion)).toMatchObject({
    currentPeriodStart: end,
    currentPeriodEnd: next,
  });
});

test('an end without a start after several periods is that of the last one, once it has begun', () => {
  const later = { ...facts, currentPeriodEnd: Date.UTC(2026, 4, 1) };
  const begun = Date.UTC(2026, 3, 1);
  expect(withProviderFacts(view, later, { now: begun, failedAt: null }).currentPeriodStart).toBe(begun);
  // The provider bills by another interval, and its period is still the next one.
  expect(withProviderFacts(view, later, { now: begun - 1, failedAt: null }).currentPeriodStart).toBe(end);
});

test('an end without a start that is a day later is that of the same period', () => {
  expect(withProviderFacts(view, { ...facts, currentPeriodEnd: end + DAY_MS }, occasion)).toMatchObject({
    currentPeriodStart: start,
    currentPeriodEnd: end + DAY_MS,
  });
});

test('a period that runs backwards, or is not reported, is ignored; whether it renews is not', () => {
  const backwards = { ...facts, currentPeriodStart: next, currentPeriodEnd: end, cancelAtPeriodEnd: true };
  expect(withProviderFacts(view, backwards, occasion)).toEqual({ ...view, cancelAtPeriodEnd: true });
});

test('a period that was over when this one began is an old look at it', () => {
  const turned = { ...view, currentPeriodStart: end, currentPeriodEnd: next };
  const old = { ...facts, currentPeriodStart: start, currentPeriodEnd: end };
  expect(withProviderFacts(turned, old, occasion)).toEqual(turned);
});

test.each(['cancelled', 'expired'] as const)('what is %s stays so', (status) => {
  const ended = { ...view, status };
  for (const reported of SUBSCRIPTION_STATUSES) {
    expect(withProviderFacts(ended, { ...facts, status: reported, currentPeriodEnd: next }, occasion)).toBe(
      ended,
    );
  }
});

test('cancelled at the provider ends it, with what was open and scheduled', () => {
  const owing = { ...view, paymentDueAt: end, pastDueSince: end, scheduledInterval: 'year' as const };
  expect(withProviderFacts(owing, { ...facts, status: 'cancelled' }, occasion)).toMatchObject({
    status: 'cancelled',
    cancelledAt: now,
    paymentDueAt: null,
    pastDueSince: null,
    unpaidSince: end,
    scheduledInterval: null,
  });
});

test('past due since the failure, in whatever order the failure and the state are reported', () => {
  const pastDue = { ...facts, status: 'past_due' as const, currentPeriodStart: end, currentPeriodEnd: next };
  const failure = { now, failedAt: end + 5_000 };
  const first = withProviderFacts(withProviderFacts(view, pastDue, failure), pastDue, occasion);
  const last = withProviderFacts(withProviderFacts(view, pastDue, occasion), pastDue, failure);
  expect(first).toEqual(last);
  expect(first.pastDueSince).toBe(end + 5_000);
  // A failure of an earlier period that is reported late does not shorten the grace period of this one.
  expect(withProviderFacts(view, pastDue, { now, failedAt: start }).pastDueSince).toBe(end);
});

test('while payments are suspended, it stays past due from the end of the period that was paid', () => {
  const suspended = { ...facts, status: 'past_due' as const, isSuspended: true, currentPeriodEnd: end };
  const first = withProviderFacts(view, suspended, { now: start, failedAt: null });
  expect(first.pastDueSince).toBe(end);
  // The provider states a later payment date, though nothing was paid.
  const later = withProviderFacts(first, { ...suspended, currentPeriodEnd: next }, occasion);
  expect(later.pastDueSince).toBe(end);
});

test('a paid checkout begins with the provider’s period', () => {
  const incomplete = { ...view, status: 'incomplete' as const, incompleteUntil: end };
  const paid = { ...facts, currentPeriodStart: end, currentPeriodEnd: next };
  expect(withProviderFacts(incomplete, paid, occasion)).toMatchObject({
    status: 'active',
    startedAt: end,
    billingAnchor: end,
    currentPeriodStart: end,
    currentPeriodEnd: next,
    incompleteUntil: null,
  });
  expect(withProviderFacts(incomplete, { ...facts, status: 'incomplete' }, occasion)).toBe(incomplete);
});

test('a paid checkout has no trial that its provider did not grant', () => {
  const offered = { ...view, status: 'incomplete' as const, trialEnd: next };
  const paid = { ...facts, currentPeriodStart: end, currentPeriodEnd: next };
  expect(withProviderFacts(offered, paid, occasion)).toMatchObject({ status: 'active', trialEnd: null });
});

test.each([
  ['when the provider says that it began', { beganAt: end }, end],
  ['now, if the provider does not say', {}, now],
])('without a reported start, the first period begins %s, and not with the offer', (_, reported, begun) => {
  const incomplete = { ...view, status: 'incomplete' as const, incompleteUntil: next };
  const paid = { ...facts, ...reported, currentPeriodEnd: next };
  expect(withProviderFacts(incomplete, paid, occasion)).toMatchObject({
    startedAt: begun,
    billingAnchor: begun,
    currentPeriodStart: begun,
    currentPeriodEnd: next,
  });
});

test.each([
  ['is ended in the second in which it began', 'active', start],
  ['is ended in the second in which it began, and its charge fails', 'past_due', start],
  ['is ended early', 'active', start + DAY_MS],
  ['is ended early, and its charge fails', 'past_due', start + DAY_MS],
] as const)('a trial that %s is counted from its end', (_, status, ended) => {
  const trying = { ...view, status: 'trialing' as const, trialEnd: end, billingAnchor: end };
  const reported = { ...facts, status, currentPeriodStart: ended, currentPeriodEnd: ended + 31 * DAY_MS };
  expect(withProviderFacts(trying, reported, occasion)).toMatchObject({
    status,
    trialEnd: ended,
    billingAnchor: ended,
    currentPeriodStart: ended,
  });
});

test('a trial that ended on time keeps its end when it is first read in a later period', () => {
  const trying = { ...view, status: 'trialing' as const, trialEnd: end, billingAnchor: end };
  const later = { ...facts, currentPeriodStart: next, currentPeriodEnd: Date.UTC(2026, 3, 1) };
  const read = withProviderFacts(trying, later, { now: next, failedAt: null });
  expect(read).toMatchObject({ status: 'active', trialEnd: end, currentPeriodStart: next });
});

test('a trial that is over, and begins no period because there is no card, keeps its end', () => {
  const trying = { ...view, status: 'trialing' as const, trialEnd: end, billingAnchor: end };
  const period = { currentPeriodStart: start, currentPeriodEnd: end };
  const paused = { ...facts, ...period, status: 'past_due' as const, isPaused: true };
  expect(withProviderFacts(trying, paused, occasion)).toMatchObject({ trialEnd: end, billingAnchor: end });
});

test('a first period that is longer than an interval, because of a trial, begins with the subscription', () => {
  const incomplete = { ...view, status: 'incomplete' as const, incompleteUntil: end };
  const bought = { ...facts, beganAt: now, currentPeriodEnd: now + 60 * DAY_MS };
  expect(withProviderFacts(incomplete, bought, occasion)).toMatchObject({
    currentPeriodStart: now,
    currentPeriodEnd: now + 60 * DAY_MS,
  });
});

test('a checkout that is first read after a renewal begins in the period that the provider is in', () => {
  const incomplete = { ...view, status: 'incomplete' as const, incompleteUntil: end };
  const renewed = { ...facts, beganAt: start + DAY_MS, currentPeriodEnd: next + DAY_MS };
  expect(withProviderFacts(incomplete, renewed, occasion)).toMatchObject({
    startedAt: start + DAY_MS,
    currentPeriodStart: end + DAY_MS,
    currentPeriodEnd: next + DAY_MS,
  });
});

test('a first period that ends at a later hour than it began is whole', () => {
  const incomplete = { ...view, status: 'incomplete' as const, incompleteUntil: end };
  const begun = { ...facts, beganAt: start + HOUR_MS, currentPeriodEnd: end + 8 * HOUR_MS };
  expect(withProviderFacts(incomplete, begun, occasion)).toMatchObject({
    startedAt: start + HOUR_MS,
    currentPeriodStart: start + HOUR_MS,
  });
});

test.each([
  ['in the second before the offer', start],
  ['after the offer', start + 500],
])('while the first payment is due, a subscription that began %s keeps the offer’s period', (_, beganAt) => {
  const offered = { start: start + 400, end: end + 400 };
  const incomplete = {
    ...view,
    ...lifecycleRow(offered, { provider: 'provider_b', status: 'incomplete' }),
  };
  const due = { ...facts, status: 'past_due' as const, beganAt, currentPeriodEnd: start + DAY_MS / 2 };
  const early = { now: start + 60_000, failedAt: null };
  const begun = withProviderFacts(incomplete, due, early);
  const period = { startedAt: beganAt, currentPeriodStart: offered.start, currentPeriodEnd: offered.end };
  expect(begun).toMatchObject(period);
  expect(withProviderFacts(begun, due, early)).toMatchObject(period);
  const paid = { ...facts, beganAt, currentPeriodEnd: end };
  expect(withProviderFacts(begun, paid, early)).toMatchObject({
    status: 'active',
    currentPeriodStart: beganAt,
    currentPeriodEnd: end,
  });
});

test('a payment that is due within a day of the beginning is still the first one', () => {
  expect(isFirstPaymentDue(start, start + DAY_MS)).toBe(true);
  expect(isFirstPaymentDue(start, start + DAY_MS + 1)).toBe(false);
});

test('instants less than a minute apart are the same, and no instant is the same as another one', () => {
  expect([isSameInstant(start, start + 59_999), isSameInstant(start, start - 59_999)]).toEqual([true, true]);
  expect([isSameInstant(start, start + 60_000), isSameInstant(start, null)]).toEqual([false, false]);
  expect(isSameInstant(null, null)).toBe(true);
});
