import fc from 'fast-check';
import type { ScheduledTerms } from '../../src/domain/change-types';
import { DAY_MS, HOUR_MS } from '../../src/domain/instant';
import { calendarPeriodAt, usagePeriod } from '../../src/domain/period';
import { reconcileFacts } from '../../src/domain/provider-reconciliation';
import type { BilledFacts, ReconciledView } from '../../src/domain/reconciled-view';
import { withPendingCall } from '../../src/domain/provider-calls';
import { NO_WORK, withDropped, type ProviderWork, type PendingCall } from '../../src/domain/provider-work';
import { cases } from './property';
import { billedFacts, END, ON_PRO, PROVIDER_ROW, START, STARTER, syncMarker } from './provider-row';

const NEXT = Date.parse('2026-08-01T00:00:00Z');
const NOW = Date.parse('2026-06-10T00:00:00Z');

const scheduled: ScheduledTerms = { ...STARTER, requestedAt: NOW };
const terms = {
  planId: 'plan_large',
  planSlug: 'large',
  seats: 3,
  unitAmount: '9000',
  pricing: 'per_seat',
  interval: 'month',
  planReference: 'P-LARGE',
  requestedAt: NOW,
} as const;
const request = { ...terms, approvalUrl: 'https://b.test/approve', lookAt: NOW, expiresAt: END };
const prepared = syncMarker();

const view = (changes: Partial<ReconciledView> = {}): ReconciledView => ({
  ...PROVIDER_ROW,
  ...ON_PRO,
  unitAmount: 3000n,
  planUnitAmount: 3500n,
  work: NO_WORK,
  ...changes,
});
const facts = (changes: Partial<BilledFacts> = {}): BilledFacts =>
  billedFacts({ planReference: 'price_pro', ...changes });
const turned = (changes: Partial<BilledFacts> = {}): BilledFacts =>
  facts({ currentPeriodStart: END, currentPeriodEnd: NEXT, ...changes });
const at = (now: number) => ({ now, failedAt: null });
const waiting = (work: Partial<ProviderWork> = {}) =>
  view({ scheduled, scheduledInterval: 'month', work: { ...NO_WORK, ...work } });

describe('plan and seats', () => {
  it('do not follow the provider: its early “updated” event moves nothing', () => {
    const shown = facts({ planReference: 'price_starter', quantity: 1 });
    expect(reconcileFacts(waiting({ sync: prepared }), shown, at(NOW))).toEqual({
      view: waiting({ sync: prepared }),
      consequences: [],
    });
  });

  it('do not change when provider B moves the next payment by a day: that is no renewal', () => {
    const agreed = { planId: scheduled.planId, seats: scheduled.seats, planReference: 'P-STARTER' };
    const confirmed = { ...agreed, unitAmount: scheduled.unitAmount.toString() };
    const before = { ...waiting({ confirmed }), provider: 'provider_b' as const };
    const shown = { planReference: 'P-STARTER', quantity: scheduled.seats, currentPeriodStart: null };
    const late = END + 60_000;
    const moved = reconcileFacts(before, facts({ ...shown, currentPeriodEnd: END + DAY_MS }), at(late));
    expect(moved.consequences).toEqual([]);
    expect(moved.view).toMatchObject({
      planId: 'plan_pro',
      scheduled,
      currentPeriodStart: before.currentPeriodStart,
      currentPeriodEnd: END + DAY_MS,
    });
    const renewed = reconcileFacts(
      moved.view,
      facts({ ...shown, currentPeriodEnd: NEXT }),
      at(late + DAY_MS),
    );
    expect(renewed.consequences).toMatchObject([{ kind: 'applied' }]);
  });

  it('stay as they are through a renewal, which charges the plan’s price of now', () => {
    const { view: after } = reconcileFacts(
      view(),
      turned({ planReference: 'price_large', quantity: 9 }),
      at(END),
    );
    expect(after).toMatchObject({ planId: 'plan_pro', seats: 2, unitAmount: 3500n, currentPeriodEnd: NEXT });
  });

  it('keep their price at provider B through periods that it does not charge, until a charge shows another', () => {
    const lastPayment = { amount: '6000', at: START };
    const suspended = turned({ currentPeriodStart: null, lastPayment });
    const { view: resumed } = reconcileFacts(view({ provider: 'provider_b' }), suspended, at(END));
    expect(resumed).toMatchObject({ unitAmount: 3000n, currentPeriodEnd: NEXT });
    const later = { currentPeriodStart: null, currentPeriodEnd: Date.parse('2026-09-01T00:00:00Z') };
    const charged = (amount: string): ReconciledView =>
      reconcileFacts(resumed, facts({ ...later, lastPayment: { amount, at: NEXT } }), at(NEXT)).view;
    expect(charged('6000').unitAmount).toBe(3000n);
    expect(charged('7000').unitAmount).toBe(3500n);
    // With what was outstanding from an earlier period.
    expect(charged('12000').unitAmount).toBe(3000n);
  });

  it('keep their price where provider A bills several items, of which none is known as the plan’s', () => {
    const { view: after } = reconcileFacts(view(), turned({ planReference: null, quantity: null }), at(END));
    expect(after).toMatchObject({ unitAmount: 3000n, currentPeriodEnd: NEXT });
  });
});

describe('a scheduled change of provider A', () => {
  const asPrepared = { planReference: 'price_starter', quantity: 1 };

  it('comes with the renewal that it was prepared for', () => {
    const before = waiting({ sync: prepared });
    const { view: after, consequences } = reconcileFacts(before, turned(asPrepared), at(END));
    expect(after).toMatchObject({
      planId: 'plan_starter',
      planSlug: 'starter',
      seats: 1,
      unitAmount: 1000n,
      scheduled: null,
      scheduledInterval: null,
      currentPeriodStart: END,
      currentPeriodEnd: NEXT,
      work: { sync: null },
    });
    expect(consequences).toEqual([{ kind: 'applied', terms: scheduled }]);
  });

  it.each([
    ['does not say what it bills', { planReference: null, quantity: null }, 'applied'],
    ['was given the old price back', { planReference: 'price_pro', quantity: 1 }, 'undone'],
    ['was given other seats', { planReference: 'price_starter', quantity: 2 }, 'undone'],
  ])('comes with that renewal, unless it was changed at the provider since: it %s', (_, shown, kind) => {
    const before = waiting({ sync: prepared });
    const { view: after, consequences } = reconcileFacts(before, turned(shown), at(END));
    expect(consequences).toEqual([{ kind, terms: scheduled }]);
    expect(after).toMatchObject(
      kind === 'applied'
        ? { planId: 'plan_starter', seats: 1, scheduled: null }
        : { planId: 'plan_pro', seats: 2, scheduled, currentPeriodEnd: NEXT, work: { sync: null } },
    );
  });

  it('comes at the price that the provider bills, which the plan may no longer have', () => {
    const shown = turned({ ...asPrepared, unitAmount: '800' });
    expect(reconcileFacts(waiting({ sync: prepared }), shown, at(END)).view).toMatchObject({
      planId: 'plan_starter',
      unitAmount: 800n,
      planUnitAmount: 1000n,
    });
    // A fraction of a minor unit is none that a plan here can cost.
    const fraction = { ...shown, unitAmount: '800.5' };
    expect(reconcileFacts(waiting({ sync: prepared }), fraction, at(END)).view).toMatchObject({
      planId: 'plan_starter',
      unitAmount: 1000n,
    });
  });

  it('waits for our own boundary when the provider’s clock is ahead', () => {
    const before = waiting({ sync: prepared });
    expect(reconcileFacts(before, turned(), at(END - 1))).toEqual({ view: before, consequences: [] });
  });

  it.each([
    null,
    { ...prepared, state: 'failed', reason: 'a time-out' },
    { ...prepared, state: 'claimed' },
  ] as const)('stays scheduled, with a failed marker, when the renewal comes unprepared (%#)', (sync) => {
    const { view: after, consequences } = reconcileFacts(waiting({ sync }), turned(), at(END));
    expect(after).toMatchObject({
      planId: 'plan_pro',
      seats: 2,
      unitAmount: 3500n,
      currentPeriodEnd: NEXT,
      scheduled,
      work: { sync: { state: 'failed', boundary: NEXT, reason: expect.stringMatching(/./) as string } },
    });
    expect(consequences).toEqual([{ kind: 'unprepared', terms: scheduled }]);
  });

  it('waits for the next renewal when the provider shows it, but received it after this one', () => {
    const before = waiting({ sync: { ...prepared, state: 'failed', late: true } });
    const { view: after, consequences } = reconcileFacts(before, turned(asPrepared), at(END));
    expect(after).toMatchObject({
      planId: 'plan_pro',
      seats: 2,
      scheduled,
      work: { sync: { state: 'failed', told: true, sentAt: [START], boundary: NEXT } },
    });
    expect(after.work.sync?.late).toBeUndefined();
    expect(consequences).toEqual([{ kind: 'unprepared', terms: scheduled }]);
  });

  it('of seats alone stays scheduled when the provider shows its price, which is unchanged, with the seats of before', () => {
    const fewer = { ...scheduled, planId: 'plan_pro', planSlug: 'pro', unitAmount: 3500n };
    const own = { planId: 'plan_pro', plan: 'pro', planReference: 'price_pro' };
    const before = { ...waiting({ sync: { ...prepared, ...own, state: 'failed' } }), scheduled: fewer };
    const missed = reconcileFacts(before, turned(), at(END));
    expect(missed).toMatchObject({ view: { seats: 2 }, consequences: [{ kind: 'unprepared' }] });
    const heard = reconcileFacts(before, turned({ quantity: 1 }), at(END));
    expect(heard).toMatchObject({ view: { seats: 1 }, consequences: [{ kind: 'applied' }] });
  });

  it.each(['claimed', 'failed'] as const)(
    'comes all the same when it is %s and the provider shows that it was told',
    (state) => {
      const before = waiting({ sync: { ...prepared, state } });
      expect(reconcileFacts(before, turned(asPrepared), at(END))).toMatchObject({
        view: { planId: 'plan_starter', seats: 1 },
        consequences: [{ kind: 'applied' }],
      });
    },
  );

  it.each([
    ['has the old price', {}],
    ['has the new price', asPrepared],
  ])('waits while it is being taken back, whether the provider %s', (_, shown) => {
    const unsettled: PendingCall = {
      operationId: 'op_1',
      intent: { kind: 'withdraw' },
      calls: [{ action: 'change', planReference: 'price_pro', quantity: 2, proration: 'none' }],
      key: 'op_1-1',
      since: END - 1,
      tries: 1,
      retryAt: END + 1,
    };
    const before = waiting(withPendingCall({ ...NO_WORK, sync: prepared }, unsettled));
    expect(reconcileFacts(before, turned(shown), at(END))).toEqual({ view: before, consequences: [] });
    const other = { ...unsettled, calls: [{ action: 'cancel' }] } as const;
    const unconcerned = waiting({ sync: prepared, unsettled: { ...other, calls: [...other.calls] } });
    expect(reconcileFacts(unconcerned, turned(asPrepared), at(END)).consequences).toMatchObject([
      { kind: 'applied' },
    ]);
  });

  it('is not applied by a preparation for another one', () => {
    const sync = { ...prepared, planId: 'plan_other', planReference: 'price_other' };
    const shown = turned({ planReference: 'price_other', quantity: 1 });
    expect(reconcileFacts(waiting({ sync }), shown, at(END))).toMatchObject({
      // The other change's reference does not belong to this one, so what the provider bills is reported as drift.
      view: {
        planId: 'plan_pro',
        work: { sync: { planId: 'plan_starter', planReference: '', attempts: 1 } },
      },
      consequences: [{ kind: 'unprepared' }],
    });
  });
});

describe('an approval of provider B', () => {
  const requested = view({ provider: 'provider_b', work: { ...NO_WORK, request } });
  const approved = facts({ planReference: 'P-LARGE', quantity: 3 });

  it('confirms what was asked, which then waits for the boundary', () => {
    const { view: after, consequences } = reconcileFacts(requested, approved, at(NOW));
    expect(after).toMatchObject({
      planId: 'plan_pro',
      seats: 2,
      scheduled: { planId: 'plan_large', seats: 3, unitAmount: 9000n },
      work: { request: null },
    });
    expect(consequences).toEqual([{ kind: 'approved', terms: request }]);
  });

  it.each([
    ['the old plan', facts({ planReference: 'P-PRO' })],
    ['another number of seats', facts({ planReference: 'P-LARGE', quantity: 2 })],
    ['another plan', facts({ planReference: 'P-STARTER', quantity: 3 })],
  ])('is not confirmed by an event with %s', (_, shown) => {
    expect(reconcileFacts(requested, shown, at(NOW))).toEqual({ view: requested, consequences: [] });
  });

  it('is applied at once with the renewal where both are learnt together', () => {
    const { view: after, consequences } = reconcileFacts(
      requested,
      turned({ planReference: 'P-LARGE', quantity: 3 }),
      at(END),
    );
    expect(after).toMatchObject({ planId: 'plan_large', seats: 3, scheduled: null });
    expect(consequences.map(({ kind }) => kind)).toEqual(['approved', 'applied']);
  });

  it.each([
    ['of now', '7000', END, false],
    ['of the period that is over', '6000', END, false],
    ['of what was asked', '27000', END, true],
    ['of neither', '8330', END, true],
    ['of now, but before the renewal', '6000', START, true],
  ])(
    'comes with a renewal that is learnt with it by what was paid: the price %s',
    (_, amount, paidAt, comes) => {
      const paid = { lastPayment: { amount, at: paidAt } };
      const shown = turned({ planReference: 'P-LARGE', quantity: 3, ...paid });
      const { view: after, consequences } = reconcileFacts(requested, shown, at(END));
      expect(after.currentPeriodEnd).toBe(NEXT);
      expect(after).toMatchObject(
        comes ? { planId: 'plan_large', scheduled: null } : { planId: 'plan_pro', scheduled: { seats: 3 } },
      );
      expect(consequences.map(({ kind }) => kind)).toEqual(['approved', ...(comes ? ['applied'] : [])]);
    },
  );

  it('to a yearly plan has its years counted from the renewal that applies it', () => {
    const yearly = { ...requested, work: { ...NO_WORK, request: { ...request, interval: 'year' as const } } };
    const renewal = turned({
      planReference: 'P-LARGE',
      quantity: 3,
      currentPeriodEnd: Date.parse('2027-07-01T00:00:00Z'),
    });
    const { view: after } = reconcileFacts(yearly, renewal, at(END));
    expect(after).toMatchObject({ planId: 'plan_large', interval: 'year', billingAnchor: END });
    const back = { ...after, work: { ...NO_WORK, request: { ...request, planId: 'plan_pro' } } };
    const monthly = turned({
      planReference: 'P-LARGE',
      quantity: 3,
      currentPeriodStart: Date.parse('2027-07-01T00:00:00Z'),
      currentPeriodEnd: Date.parse('2027-08-01T00:00:00Z'),
    });
    // Months start where the years did.
    expect(reconcileFacts(back, monthly, at(Date.parse('2027-07-01T00:00:00Z'))).view).toMatchObject({
      interval: 'month',
      billingAnchor: END,
    });
  });

  it('that comes late reopens a dropped request, once', () => {
    const dropped = view({ provider: 'provider_b', work: withDropped(NO_WORK, request) });
    const first = reconcileFacts(dropped, approved, at(NOW));
    expect(first).toMatchObject({
      view: { scheduled: { planId: 'plan_large' }, work: { dropped: [] } },
      consequences: [{ kind: 'approved_late' }],
    });
    expect(reconcileFacts(first.view, approved, at(NOW)).consequences).toEqual([]);
  });

  it.each([
    ['shows', {}, 'applied'],
    ['does not say', { planReference: null }, 'applied'],
    ['does not show the plan of', { planReference: 'P-PRO' }, 'undone'],
    ['does not show the seats of', { quantity: 2 }, 'undone'],
  ])('comes with the renewal, where the provider %s it then', (_, said, kind) => {
    const { view: confirmed } = reconcileFacts(requested, approved, at(NOW));
    const shown = turned({ planReference: 'P-LARGE', quantity: 3, ...said });
    const { view: after, consequences } = reconcileFacts(confirmed, shown, at(END));
    expect(consequences).toMatchObject([{ kind, terms: { planSlug: 'large' } }]);
    expect(after).toMatchObject(
      kind === 'applied'
        ? { planId: 'plan_large', scheduled: null, work: { confirmed: null } }
        : { planId: 'plan_pro', scheduled: { planId: 'plan_large' }, currentPeriodEnd: NEXT },
    );
  });

  it('comes at the approved price with a period that the provider does not charge', () => {
    const { view: confirmed } = reconcileFacts(requested, approved, at(NOW));
    const raised = {
      ...confirmed,
      scheduled: confirmed.scheduled && { ...confirmed.scheduled, unitAmount: 9500n },
    };
    const renewal = turned({ planReference: 'P-LARGE', quantity: 3, currentPeriodStart: null });
    const shown = { ...renewal, lastPayment: { amount: '6000', at: START } };
    expect(reconcileFacts(raised, shown, at(END)).view).toMatchObject({
      planId: 'plan_large',
      unitAmount: 9000n,
      planUnitAmount: 9500n,
    });
  });

  const back = { ...request, planId: 'plan_pro', planSlug: 'pro', seats: 2, planReference: 'P-PRO' };

  it('that comes late of a change back takes the scheduled one away, which the provider does not know any more', () => {
    const before = {
      ...view({ provider: 'provider_b', scheduled, scheduledInterval: 'month' }),
      work: withDropped(NO_WORK, back),
    };
    const { view: after, consequences } = reconcileFacts(before, facts({ planReference: 'P-PRO' }), at(NOW));
    expect(after).toMatchObject({ planId: 'plan_pro', scheduled: null, work: { dropped: [] } });
    expect(consequences).toMatchObject([{ kind: 'approved_late', terms: { planSlug: 'pro' } }]);
  });

  it('is no late one of the same that was dropped before', () => {
    const before = { ...requested, work: { ...withDropped(NO_WORK, request), request } };
    const { view: after, consequences } = reconcileFacts(before, approved, at(NOW));
    expect(consequences.map(({ kind }) => kind)).toEqual(['approved']);
    expect(after.work.dropped).toEqual([]);
  });

  it('of what has ended meanwhile is withdrawn', () => {
    const ended = { ...approved, status: 'cancelled' } as const;
    expect(reconcileFacts(requested, ended, at(NOW)).consequences).toEqual([
      { kind: 'withdrawn', terms: request },
    ]);
    const other = { ...requested.work, request: { ...request, planReference: 'P-OTHER' } };
    const both = { ...requested, scheduled, scheduledInterval: 'month', work: other } as const;
    expect(reconcileFacts(both, ended, at(NOW)).consequences).toEqual([
      { kind: 'withdrawn', terms: scheduled },
      { kind: 'withdrawn', terms: other.request },
    ]);
  });

  it('of a change back to what is billed takes the scheduled one away', () => {
    const before = {
      ...view({ provider: 'provider_b', scheduled, scheduledInterval: 'month' }),
      work: { ...NO_WORK, request: back },
    };
    expect(reconcileFacts(before, facts({ planReference: 'P-PRO' }), at(NOW)).view).toMatchObject({
      scheduled: null,
      work: { request: null },
    });
  });
});

const PERIOD = { currentPeriodStart: START, currentPeriodEnd: END };

it.each([
  ['begins a moment before our boundary', END - 1000, 3500n],
  ['is the same and lasts longer', START, 3000n],
])('ends the looks at a boundary where the period %s', (_, start, unitAmount) => {
  const before = view({ work: { ...NO_WORK, lookAgainAt: END + 300_000, looks: 1 } });
  const { view: after } = reconcileFacts(before, turned({ currentPeriodStart: start }), at(END + 60_000));
  expect(after).toMatchObject({
    unitAmount,
    currentPeriodStart: start,
    currentPeriodEnd: NEXT,
    work: { lookAgainAt: null, looks: 0 },
  });
});

const DUE = START + 4_200_000;

it.each([
  ['lasts longer', turned({ currentPeriodStart: START }), START + 60_000, DUE],
  ['begins anew for another interval', turned({ currentPeriodStart: START + 60_000 }), START + 60_000, DUE],
  ['ends later than the read', facts({ ...PERIOD, cancelAt: DUE + 1 }), START + 60_000, DUE],
  ['ends before the read', facts({ ...PERIOD, cancelAt: DUE - 1 }), START + 60_000, null],
  ['has been followed by another', turned(), END + 60_000, null],
])(
  'keeps the read of a charge that is still to come where it can: the period %s',
  (_, shown, now, lookAgainAt) => {
    const before = view({ work: { ...NO_WORK, lookAgainAt: DUE } });
    expect(reconcileFacts(before, shown, at(now)).view.work).toMatchObject({ lookAgainAt });
  },
);

it('reads a later past-due time from its beginning: nothing of an earlier one is left once it was paid', () => {
  const reads = { pastDueReadAt: START + 6 * HOUR_MS, returnedAt: START };
  const before = view({ status: 'past_due', pastDueSince: START, work: { ...NO_WORK, ...reads } });
  const still = reconcileFacts(before, turned({ ...PERIOD, status: 'past_due' }), at(START + 1));
  expect(still.view.work).toMatchObject(reads);
  const paid = reconcileFacts(before, turned({ ...PERIOD, status: 'active' }), at(START + 1));
  expect(paid.view.work).toMatchObject({ pastDueReadAt: null, returnedAt: null });
});

it('leaves an ended subscription unchanged, and drops a scheduled change when it ends', () => {
  const ended = view({ status: 'cancelled', cancelledAt: NOW });
  expect(reconcileFacts(ended, turned(), at(END))).toEqual({ view: ended, consequences: [] });
  const before = waiting({ sync: prepared, dropped: [terms] });
  expect(reconcileFacts(before, facts({ status: 'cancelled' }), at(NOW)).view).toMatchObject({
    status: 'cancelled',
    scheduled: null,
    work: { sync: null, dropped: [], request: null },
  });
});

it('says the same of the same facts a second time: nothing', () => {
  const anyFacts = fc.record({
    status: fc.constantFrom('active', 'past_due', 'trialing', 'cancelled', 'expired', 'incomplete'),
    planReference: fc.constantFrom(null, 'price_starter', 'P-LARGE', 'P-PRO'),
    quantity: fc.constantFrom(null, 1, 2, 3),
    currentPeriodStart: fc.constantFrom(null, START, END),
    currentPeriodEnd: fc.constantFrom(null, END, NEXT),
    cancelAtPeriodEnd: fc.boolean(),
    cancelAt: fc.constantFrom(null, START, NOW, END, END + 1_000, NEXT),
  });
  const anyView = fc.record({
    provider: fc.constantFrom('provider_a', 'provider_b', 'provider_c'),
    status: fc.constantFrom('active', 'past_due', 'trialing', 'incomplete'),
    scheduled: fc.constantFrom(null, scheduled),
    request: fc.constantFrom(null, request),
    sync: fc.constantFrom(null, prepared),
    dropped: fc.constantFrom([], [terms]),
  });
  const now = fc.constantFrom(NOW, END, NEXT - 1);
  fc.assert(
    fc.property(anyView, anyFacts, now, ({ request: asks, sync, dropped, ...row }, said, when) => {
      const before = {
        ...view(row),
        scheduledInterval: row.scheduled === null ? null : ('month' as const),
        work: { ...NO_WORK, request: asks, sync, dropped: [...dropped] },
      };
      const once = reconcileFacts(before, said as BilledFacts, at(when));
      const twice = reconcileFacts(once.view, said as BilledFacts, at(when));
      expect(twice).toEqual({ view: once.view, consequences: [] });
      // Whatever the provider reports, plan and seats are the previous, the scheduled or the approved ones.
      const allowed = [before, scheduled, request, terms].map(({ planId, seats }) => `${planId} ${seats}`);
      expect(allowed).toContain(`${once.view.planId} ${once.view.seats}`);
    }),
    cases(500),
  );
});

describe('a renewal of what does not renew again, and whose end the provider does not name', () => {
  const ending = (start: number | null) =>
    facts({ currentPeriodStart: start, currentPeriodEnd: null, cancelAtPeriodEnd: true });
  const atC = view({ provider: 'provider_c' });

  it('is the period that was paid last, for an interval from its start', () => {
    const { view: after } = reconcileFacts(atC, ending(END), at(END));
    expect(after).toMatchObject({
      currentPeriodStart: END,
      currentPeriodEnd: NEXT,
      cancelAtPeriodEnd: true,
      unitAmount: 3500n,
    });
  });

  it('is the first one, if its beginning was not known here', () => {
    const offered = { ...atC, status: 'incomplete' as const, incompleteUntil: NEXT };
    const { view: after } = reconcileFacts(offered, { ...ending(null), beganAt: END }, at(END + 60_000));
    expect(after).toMatchObject({ startedAt: END, currentPeriodStart: END, currentPeriodEnd: NEXT });
  });

  it.each([
    ['where no later one was paid', START],
    ['where none was paid', null],
  ])('is none %s', (_, start) => {
    const { view: after } = reconcileFacts(atC, ending(start), at(NOW));
    expect(after).toMatchObject({
      currentPeriodStart: START,
      currentPeriodEnd: END,
      cancelAtPeriodEnd: true,
    });
  });
});

describe('a subscription that is completed with its last charge', () => {
  const completed = (start: number | null): BilledFacts =>
    facts({ status: 'cancelled', isCompleted: true, currentPeriodStart: start, currentPeriodEnd: null });
  const atC = view({ provider: 'provider_c' });
  const offered = { ...atC, status: 'incomplete' as const, incompleteUntil: NEXT };

  it.each([
    ['a new period', atC, END, END + 60_000, NEXT],
    ['the period that is known', atC, START, NOW, END],
    ['the first one', offered, END, END + 60_000, NEXT],
  ])('is active until the end of %s', (_, before, start, now, end) => {
    const { view: after } = reconcileFacts(before, completed(start), at(now));
    expect(after).toMatchObject({ status: 'active', cancelAtPeriodEnd: true, currentPeriodEnd: end });
  });

  it.each([
    ['a new period, paid at its beginning', {}, END - 1_000, END + 60_000, NEXT],
    ['a new period, paid late', {}, END + 10 * DAY_MS, END + 10 * DAY_MS, NEXT],
    ['the period that is known', {}, START + DAY_MS, NOW, END],
    ['the first one', { status: 'incomplete' as const, incompleteUntil: NEXT }, END, END + 60_000, NEXT],
  ])('is active at provider B until the end of %s', (_, changes, paidAt, now, end) => {
    const before = { ...view({ provider: 'provider_b' }), ...changes };
    const said = { ...completed(null), beganAt: END, lastPayment: { amount: '6000', at: paidAt } };
    const { view: after } = reconcileFacts(before, said, at(now));
    expect(after).toMatchObject({ status: 'active', cancelAtPeriodEnd: true, currentPeriodEnd: end });
    expect(reconcileFacts(after, said, at(now)).view).toEqual(after);
    expect(reconcileFacts(after, said, at(end)).view).toMatchObject({ status: 'cancelled' });
  });

  it.each([
    {
      name: 'after several that were not read',
      start: '2026-01-01T10:00',
      knownEnd: '2026-02-01T10:00',
      paidAt: '2026-05-01T10:00',
      end: '2026-06-01T10:00',
    },
    {
      name: 'that ends on the 31st, as the first one began',
      start: '2026-01-31T10:00',
      knownEnd: '2026-02-28T10:00',
      paidAt: '2026-02-28T10:00',
      end: '2026-03-31T10:00',
    },
  ])('is active at provider B until the end of a period $name', ({ start, knownEnd, paidAt, end }) => {
    const instant = (text: string): number => Date.parse(`${text}Z`);
    const began = instant(start);
    const rhythm = { startedAt: began, billingAnchor: began, timeZone: 'UTC' };
    const period = { currentPeriodStart: began, currentPeriodEnd: instant(knownEnd) };
    const before = view({ provider: 'provider_b', ...rhythm, ...period });
    const said = { ...completed(null), lastPayment: { amount: '6000', at: instant(paidAt) } };
    const last = { currentPeriodStart: instant(paidAt), currentPeriodEnd: instant(end) };
    const { view: after } = reconcileFacts(before, said, at(instant(paidAt) + DAY_MS));
    expect(after).toMatchObject({ status: 'active', cancelAtPeriodEnd: true, ...last, billingAnchor: began });
    expect(reconcileFacts(after, said, at(instant(end) - 1)).view).toEqual(after);
    expect(reconcileFacts(after, said, at(instant(end))).view).toMatchObject({ status: 'cancelled' });
  });

  it.each([
    ['after that', START, END],
    ['at once if no paid period is stated', null, NOW],
  ])('is cancelled %s', (_, start, now) => {
    expect(reconcileFacts(atC, completed(start), at(now)).view).toMatchObject({ status: 'cancelled' });
  });
});

describe('usage periods', () => {
  const instant = (text: string): number => Date.parse(`${text}Z`);

  /** Begins a subscription with the first of these periods and renews it with the others. Returns its usage periods. */
  function usagePeriods(
    provider: 'provider_a' | 'provider_b' | 'provider_c',
    periods: readonly (readonly [string, string])[],
    timeZone = 'UTC',
  ): string[][] {
    const [[begin] = ['']] = periods;
    let row = view({
      provider,
      timeZone,
      status: 'incomplete',
      incompleteUntil: instant(begin) + 1,
      startedAt: instant(begin) - 60_000,
      billingAnchor: instant(begin) - 60_000,
      currentPeriodStart: instant(begin) - 60_000,
      currentPeriodEnd: instant(begin) + 1,
    });
    return periods.map(([start, end], index) => {
      // B names only the start of the first period.
      const known = provider === 'provider_b' && index > 0 ? null : instant(start);
      const said = facts({ currentPeriodStart: known, currentPeriodEnd: instant(end) });
      row = reconcileFacts(row, said, at(instant(start) + 60_000)).view;
      const used = usagePeriod(row, 'billing_period', instant(start) + 60_000);
      return [Math.max(used.start, row.startedAt), used.end ?? 0].map((time) =>
        new Date(time).toISOString().slice(0, 16),
      );
    });
  }

  it.each([
    [
      'B, which charges at an hour of its own',
      'provider_b',
      [
        ['2026-01-31T15:30', '2026-02-28T10:00'],
        ['2026-02-28T10:00', '2026-03-31T10:00'],
        ['2026-03-31T10:00', '2026-04-30T10:00'],
      ],
    ],
    [
      'B, where it begins before that hour',
      'provider_b',
      [
        ['2026-01-15T08:30', '2026-02-15T10:00'],
        ['2026-02-15T10:00', '2026-03-15T10:00'],
      ],
    ],
    [
      'C, which charges on the 28th what began after it',
      'provider_c',
      [
        ['2026-01-31T12:00', '2026-02-28T12:00'],
        ['2026-02-28T12:00', '2026-03-28T12:00'],
        ['2026-03-28T12:00', '2026-04-28T12:00'],
      ],
    ],
    [
      'A over a leap day',
      'provider_a',
      [
        ['2028-01-31T12:00', '2028-02-29T12:00'],
        ['2028-02-29T12:00', '2028-03-31T12:00'],
      ],
    ],
    [
      'A, where the period is moved in its dashboard',
      'provider_a',
      [
        ['2026-01-15T12:00', '2026-02-15T12:00'],
        ['2026-02-03T09:00', '2026-03-03T09:00'],
        ['2026-03-03T09:00', '2026-04-03T09:00'],
      ],
    ],
  ] as const)('are the billing periods of %s', (_, provider, periods) => {
    expect(usagePeriods(provider, periods)).toEqual(periods);
  });

  it.each([
    ['earlier', '2026-02-10T12:00'],
    ['later', '2026-02-20T12:00'],
    ['later by most of a month', '2026-03-07T12:00'],
  ])('go on, with what was used in them, where the provider ends one %s', (_, moved) => {
    const first = instant('2026-01-15T12:00');
    const row = view({
      startedAt: first,
      billingAnchor: first,
      timeZone: 'UTC',
      currentPeriodStart: first,
      currentPeriodEnd: instant('2026-02-15T12:00'),
    });
    const said = facts({ currentPeriodStart: first, currentPeriodEnd: instant(moved) });
    const { view: after } = reconcileFacts(row, said, at(instant('2026-02-01T12:00')));
    for (const used of [first, instant('2026-02-01T12:00'), instant(moved) - 1])
      expect(usagePeriod(after, 'billing_period', used)).toEqual({ start: first, end: instant(moved) });
  });

  it.each([
    ['at once', '2026-01-15T15:30', '2026-02-15T10:00'],
    ['three days later', '2026-01-18T15:30', '2026-02-18T10:00'],
  ])(
    'go on, with what was used in the first one, where its end is reported once a late payment came (approved %s)',
    (_, approved, ends) => {
      const [bought, began, end] = [instant('2026-01-15T15:00'), instant(approved), instant(ends)];
      const row = view({
        provider: 'provider_b',
        timeZone: 'UTC',
        status: 'incomplete',
        startedAt: bought,
        billingAnchor: bought,
        currentPeriodStart: bought,
        currentPeriodEnd: instant('2026-02-15T15:00'),
      });
      const known = { currentPeriodStart: null, beganAt: began };
      const { view: begun } = reconcileFacts(row, facts({ ...known, currentPeriodEnd: null }), at(began));
      // B names the unpaid payment as the next one.
      const unpaid = facts({ ...known, status: 'past_due', currentPeriodEnd: began });
      const { view: owed } = reconcileFacts(begun, unpaid, at(began + 60_000));
      expect(owed).toMatchObject({
        startedAt: began,
        currentPeriodStart: bought,
        currentPeriodEnd: row.currentPeriodEnd,
      });
      const paid = facts({ ...known, currentPeriodEnd: end });
      const { view: after } = reconcileFacts(owed, paid, at(began + 5 * DAY_MS));
      expect(after).toMatchObject({ currentPeriodStart: began, currentPeriodEnd: end });
      const { start } = usagePeriod(owed, 'billing_period', began + 60_000);
      expect(usagePeriod(after, 'billing_period', began + 5 * DAY_MS + 60_000)).toEqual({ start, end });
    },
  );

  it.each([
    ['a monthly quota', 'month', '2026-03-10T12:00', '2027-03-10T12:00'],
    ['a yearly quota', 'year', '2026-03-10T12:00', '2026-04-10T12:00'],
  ] as const)('of %s stay where the provider was changed to another interval', (_, interval, start, end) => {
    const billingAnchor = instant('2026-02-20T12:00');
    const row = view({
      billingAnchor,
      startedAt: billingAnchor,
      timeZone: 'UTC',
      interval,
      currentPeriodStart: billingAnchor,
      currentPeriodEnd: instant('2026-03-20T12:00'),
    });
    const said = facts({ currentPeriodStart: instant(start), currentPeriodEnd: instant(end) });
    expect(reconcileFacts(row, said, at(instant(start) + 60_000)).view).toMatchObject({
      billingAnchor,
      currentPeriodEnd: instant(end),
    });
  });

  it('are counted in UTC, as the provider counts, where the workspace has another zone', () => {
    const periods = [
      ['2026-01-31T03:00', '2026-02-28T03:00'],
      ['2026-02-28T03:00', '2026-03-31T03:00'],
    ] as const;
    expect(usagePeriods('provider_a', periods, 'America/New_York')).toEqual(periods);
  });

  it('stay where only a clock change lies between them and the billing periods', () => {
    const billingAnchor = instant('2026-01-15T15:00');
    const [start, end] = [instant('2026-02-15T15:00'), instant('2026-03-15T15:00')];
    const row = view({
      billingAnchor,
      timeZone: 'America/New_York',
      startedAt: billingAnchor,
      currentPeriodStart: start,
      currentPeriodEnd: end,
    });
    const said = facts({ currentPeriodStart: end, currentPeriodEnd: instant('2026-04-15T15:00') });
    expect(reconcileFacts(row, said, at(end)).view).toMatchObject({
      billingAnchor,
      timeZone: 'America/New_York',
    });
  });
});

describe('a pause at provider A that ends the period early', () => {
  const paused = (changes: Partial<BilledFacts>) =>
    facts({ status: 'past_due', isPaused: true, isSuspended: true, ...changes });
  const after = (from: ReconciledView, shown: BilledFacts, now: number) =>
    reconcileFacts(from, shown, at(now)).view;

  it.each([
    ['of the period that is known', START, START + 10 * DAY_MS],
    ['of a renewal that was not read yet', END, END + 20 * DAY_MS],
    ['of a period that begins an hour before the anchor’s', END - HOUR_MS, END + 20 * DAY_MS],
  ])('begins no usage period: %s', (_, currentPeriodStart, currentPeriodEnd) => {
    const shown = paused({ currentPeriodStart, currentPeriodEnd });
    const next = after(view(), shown, currentPeriodEnd);
    expect(next).toMatchObject({ status: 'past_due', currentPeriodEnd, billingAnchor: START });
    expect(after(next, shown, currentPeriodEnd + DAY_MS)).toMatchObject({ billingAnchor: START });
    const resumedAt = currentPeriodEnd + 2 * DAY_MS;
    const month = calendarPeriodAt({ anchor: resumedAt, timeZone: 'UTC', interval: 'month' }, 0);
    const resumed = facts({ currentPeriodStart: month.start, currentPeriodEnd: month.end });
    expect(usagePeriod(after(next, resumed, resumedAt), 'billing_period', resumedAt)).toEqual(month);
  });
});
