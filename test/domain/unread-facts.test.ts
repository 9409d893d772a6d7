import type { ProviderIntent } from '../../src/domain/provider-work';
import { NO_WORK, type PendingCall } from '../../src/domain/provider-work';
import type { ReconciledView } from '../../src/domain/reconciled-view';
import { timeOfUnread, unreadFacts } from '../../src/domain/unread-facts';
import { billedFacts, END, ON_PRO, PROVIDER_ROW, START, STARTER, syncMarker } from './provider-row';

const NEXT = Date.parse('2026-08-01T00:00:00Z');

const view = (changes: Partial<ReconciledView> = {}): ReconciledView => ({
  ...PROVIDER_ROW,
  ...ON_PRO,
  unitAmount: 3000n,
  planUnitAmount: 3000n,
  work: NO_WORK,
  ...changes,
});
const to = { ...STARTER, unitAmount: '1000', planReference: 'price_starter', requestedAt: START };
const change: ProviderIntent = { kind: 'change_now', direction: 'downgrade', to };
const renewed = billedFacts({ currentPeriodStart: END, currentPeriodEnd: NEXT });
const noPeriod = { currentPeriodStart: null, currentPeriodEnd: null };

it('a command that shows only its own effect brings nothing else to light', () => {
  const changed = billedFacts({ planReference: 'price_starter', quantity: 1 });
  expect(unreadFacts(view(), change, changed)).toBeNull();
  const ending = billedFacts({ cancelAtPeriodEnd: true, cancelAt: END });
  expect(unreadFacts(view(), { kind: 'cancel' }, ending)).toBeNull();
  expect(unreadFacts(view({ cancelAtPeriodEnd: true }), { kind: 'reactivate' }, billedFacts())).toBeNull();
});

it('a repair takes over everything, and leaves nothing unread', () => {
  expect(unreadFacts(view(), { kind: 'repair', take: 'provider' }, renewed)).toBeNull();
});

describe('a renewal', () => {
  it('keeps the plan that was renewed, unless the command has changed it', () => {
    const read = { ...renewed, cancelAt: null };
    expect(unreadFacts(view(), { kind: 'withdraw' }, renewed)).toEqual(read);
    expect(unreadFacts(view(), change, renewed)).toEqual({ ...read, planReference: null });
  });

  it('is read without the end that a cancellation has set', () => {
    const cancelled = { ...renewed, cancelAtPeriodEnd: true };
    expect(unreadFacts(view(), { kind: 'cancel' }, cancelled)).toEqual({ ...renewed, cancelAt: null });
  });

  it('waits while a prepared price is reverted, because its terms are unclear', () => {
    const unsettled: PendingCall = {
      operationId: 'op_1',
      intent: { kind: 'withdraw' },
      calls: [{ action: 'change', planReference: 'ref_plan_pro', quantity: 2, proration: 'none' }],
      key: 'key',
      since: START,
      tries: 1,
      retryAt: START,
    };
    const work = { ...NO_WORK, unsettled, sync: syncMarker() };
    expect(unreadFacts(view({ work }), { kind: 'withdraw' }, renewed)).toBeNull();
  });
});

describe('in the same period', () => {
  it.each(['active', 'past_due'] as const)(
    'a payment after which it is %s is read, without the plan',
    (status) => {
      const before = view({ status: status === 'active' ? 'past_due' : 'active' });
      const shown = billedFacts({ status });
      const read = { ...shown, ...noPeriod, planReference: null, cancelAt: null };
      expect(unreadFacts(before, change, shown)).toEqual(read);
    },
  );

  it.each(['active', 'past_due'] as const)(
    'the early end of a trial, after which it is %s, is read with the period that began',
    (status) => {
      const shown = billedFacts({ status });
      const read = { ...shown, planReference: null, cancelAt: null };
      expect(unreadFacts(view({ status: 'trialing', trialEnd: END }), change, shown)).toEqual(read);
    },
  );

  it('an end that was set at the provider is read with a change', () => {
    const end = { cancelAtPeriodEnd: false, cancelAt: NEXT };
    const shown = billedFacts(end);
    expect(unreadFacts(view(), change, shown)).toEqual({ ...shown, ...noPeriod, planReference: null });
  });
});

it('a renewal counts from the boundary, and the early end of a trial from now, not from its former end', () => {
  const before = END - 1_000;
  expect(timeOfUnread(view(), renewed, before)).toBe(END);
  expect(timeOfUnread(view(), renewed, END + 1_000)).toBe(END + 1_000);
  const ended = billedFacts({ status: 'active', currentPeriodStart: START + 1_000, currentPeriodEnd: NEXT });
  expect(timeOfUnread(view({ status: 'trialing' }), ended, START + 2_000)).toBe(START + 2_000);
  expect(timeOfUnread(view(), { ...renewed, ...noPeriod }, before)).toBe(before);
});
