import fc from 'fast-check';
import { nextWake, takeStep, wakeAt, type LifecycleView } from '../../src/domain/lifecycle';
import { nextPastDueRead, pastDueReadAt, withCustomerReturned } from '../../src/domain/past-due-reading';
import { isReadEarly, withReadSoon } from '../../src/domain/provider-lifecycle';
import { NO_WORK, type ProviderWaits } from '../../src/domain/provider-work';
import { upcomingSteps } from '../../src/domain/upcoming-steps';
import { cases } from './property';
import { END, PROVIDER_ROW, START } from './provider-row';
import { PREPARE_WINDOW_MS } from '../../src/domain/synchronizer-marker';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/domain/instant';

const IDLE: ProviderWaits = { unsettled: null, request: null, sync: null, lookAgainAt: null };

const view = (changes: Partial<LifecycleView> = {}): LifecycleView => ({
  ...PROVIDER_ROW,
  cancelAtPeriodEnd: false,
  work: IDLE,
  ...changes,
});

const stepAt = (changes: Partial<LifecycleView>, now = START) => nextWake(view(changes), now);

describe('a subscription that a payment provider bills', () => {
  it.each(['provider_a', 'provider_b', 'provider_c'] as const)(
    'of %s waits for its boundary, where the provider is read',
    (provider) => {
      expect(stepAt({ provider })).toMatchObject({ kind: 'wait', step: 'read_back', at: END });
      expect(stepAt({ provider }, END)).toEqual({ kind: 'due', step: 'read_back', boundary: END });
    },
  );

  it.each(['trialing', 'past_due'] as const)('does so while it is %s', (status) => {
    expect(stepAt({ status }, END)).toMatchObject({ step: 'read_back' });
  });

  it.each(['cancelled', 'expired'] as const)('waits for nothing once it is %s', (status) => {
    expect(stepAt({ status, scheduledInterval: 'month' }, END)).toEqual({ kind: 'finished' });
    const work = { ...IDLE, unsettled: { retryAt: END + 1 } };
    expect(stepAt({ status, work })).toMatchObject({ step: 'settle_call', at: END + 1 });
  });

  it('is read again later when the provider had not turned the period', () => {
    const work = { ...IDLE, lookAgainAt: END + HOUR_MS };
    expect(stepAt({ work }, END)).toMatchObject({ kind: 'wait', step: 'read_back', at: END + HOUR_MS });
  });

  it('settles a call before anything else of the same instant', () => {
    const work = { ...IDLE, unsettled: { retryAt: END } };
    expect(stepAt({ work }, END)).toMatchObject({ step: 'settle_call' });
  });
});

describe('a scheduled change at provider A', () => {
  const scheduled = { scheduledInterval: 'month' } as const;

  it('is prepared from six hours before the boundary on', () => {
    expect(stepAt(scheduled)).toMatchObject({ step: 'prepare_change', at: END - PREPARE_WINDOW_MS });
    expect(stepAt(scheduled, END - HOUR_MS)).toMatchObject({ kind: 'due', step: 'prepare_change' });
  });

  it('is not prepared at all once the boundary is there: the renewal comes first', () => {
    const work = { ...IDLE, sync: { state: 'failed', retryAt: END } } as const;
    expect(stepAt({ ...scheduled, work }, END - 1)).toMatchObject({ step: 'read_back', at: END });
  });

  it.each(['claimed', 'failed'] as const)('is tried again while its marker is %s', (state) => {
    const work = { ...IDLE, sync: { state, retryAt: END - HOUR_MS } };
    expect(stepAt({ ...scheduled, work })).toMatchObject({ step: 'prepare_change', at: END - HOUR_MS });
  });

  it('only waits for the boundary when it is prepared, and when nothing renews', () => {
    const work = { ...IDLE, sync: { state: 'prepared', retryAt: null } } as const;
    expect(stepAt({ ...scheduled, work }, END - HOUR_MS)).toMatchObject({ step: 'read_back' });
    expect(stepAt({ ...scheduled, cancelAtPeriodEnd: true }, END - HOUR_MS)).toMatchObject({
      step: 'read_back',
    });
  });

  it('waits for a command that may be taking it back', () => {
    const unsettled = { retryAt: END - HOUR_MS };
    const sync = { state: 'claimed', retryAt: null } as const;
    const work = { ...IDLE, unsettled, sync };
    expect(stepAt({ ...scheduled, work }, END - 2 * HOUR_MS)).toMatchObject({
      step: 'settle_call',
      at: END - HOUR_MS,
    });
    const settled = { ...IDLE, sync };
    expect(stepAt({ ...scheduled, work: settled }, END - 2 * HOUR_MS)).toMatchObject({
      kind: 'due',
      step: 'prepare_change',
    });
  });

  it.each(['provider_b', 'provider_c'] as const)('needs no preparation at %s', (provider) => {
    expect(stepAt({ ...scheduled, provider }, END - HOUR_MS)).toMatchObject({ step: 'read_back' });
  });
});

test('a renewal that no one could read is taken to bring the interval that was asked for, from its boundary on', () => {
  const turned = takeStep(view({ provider: 'provider_b', scheduledInterval: 'year' }), 'read_back');
  expect(turned).toMatchObject({
    interval: 'year',
    billingAnchor: END,
    currentPeriodStart: END,
    currentPeriodEnd: Date.parse('2027-07-01T00:00:00Z'),
  });
});

describe('an approval at provider B', () => {
  const request = { lookAt: START + HOUR_MS, expiresAt: START + 72 * HOUR_MS };
  const requested = { provider: 'provider_b', work: { ...IDLE, request } } as const;

  it('is looked for, and then dropped at its deadline', () => {
    expect(stepAt(requested)).toMatchObject({ step: 'check_approval', at: START + HOUR_MS });
    const steps = upcomingSteps(view(requested), START, 3);
    expect(steps.map(({ step, at }) => [step, at])).toEqual([
      ['check_approval', START + HOUR_MS],
      ['check_approval', START + 72 * HOUR_MS],
      ['read_back', END],
    ]);
    expect(steps[1]?.view.work?.request).toBeNull();
  });

  it('continues past a boundary that comes before its deadline', () => {
    const late = { lookAt: END + HOUR_MS, expiresAt: END + 2 * HOUR_MS };
    const turned = takeStep(view({ ...requested, work: { ...IDLE, request: late } }), 'read_back');
    expect(turned).toMatchObject({ currentPeriodStart: END, work: { request: late } });
  });
});

describe('a past-due subscription', () => {
  const since = START + DAY_MS;
  const pastDue = (changes: Partial<ProviderWaits> = {}) =>
    ({
      status: 'past_due',
      pastDueSince: since,
      work: { ...IDLE, pastDueReadAt: null, ...changes },
    }) as const;

  it.each(['provider_a', 'provider_b', 'provider_c'] as const)(
    'is read at %s an hour after it became so, and then at the time that the last reading named',
    (provider) => {
      const first = { kind: 'wait', step: 'read_past_due', at: since + HOUR_MS };
      expect(stepAt({ provider, ...pastDue() }, since)).toMatchObject(first);
      const at = since + 5 * HOUR_MS;
      const later = { ...pastDue({ pastDueReadAt: at }), provider };
      expect(stepAt(later, at)).toEqual({ kind: 'due', step: 'read_past_due', boundary: at });
    },
  );

  it('is read every hour for three days, and every six hours for as long as it lasts', () => {
    const times: number[] = [];
    let work: ProviderWaits = pastDue().work;
    for (let count = 0; count < 80; count += 1) {
      const at = pastDueReadAt({ ...pastDue(), work }) ?? 0;
      times.push(at);
      work = { ...work, pastDueReadAt: nextPastDueRead(since, at) };
    }
    const gaps = times.map((at, index) => (at - (times[index - 1] ?? since)) / HOUR_MS);
    expect(gaps).toEqual([...Array<number>(72).fill(1), ...Array<number>(8).fill(6)]);
  });

  it('is read once however far its clock has jumped, and never again before an hour has passed', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 400 * DAY_MS }), { maxLength: 30 }), (jumps) => {
        let [now, work] = [since, pastDue().work as ProviderWaits];
        for (const jump of jumps) {
          now += jump;
          const planned = pastDueReadAt({ ...pastDue(), work }) ?? 0;
          if (planned > now) continue;
          work = { ...work, pastDueReadAt: nextPastDueRead(since, now) };
          const next = pastDueReadAt({ ...pastDue(), work }) ?? 0;
          expect([HOUR_MS, 6 * HOUR_MS]).toContain(next - now);
          expect(next - now === HOUR_MS).toBe(now < since + 3 * DAY_MS);
        }
      }),
      cases(300),
    );
  });

  it('is not read again before it is past due, if it was read earlier', () => {
    expect(nextPastDueRead(since, since - 20 * DAY_MS)).toBe(since + HOUR_MS);
  });

  it('is listed once in the upcoming steps, next to the end of its period', () => {
    const steps = upcomingSteps(view(pastDue()), since, 5);
    expect(steps.slice(0, 2).map(({ step, at }) => [step, at])).toEqual([
      ['read_past_due', since + HOUR_MS],
      ['read_back', END],
    ]);
    expect(steps.filter(({ step }) => step === 'read_past_due')).toHaveLength(1);
  });

  it('has no such readings in a view of before there were any', () => {
    const before = { status: 'past_due', pastDueSince: since } as const;
    expect(stepAt(before, since + 30 * HOUR_MS)).toMatchObject({ step: 'read_back', at: END });
  });

  it('is read at once when its customer returns, and no more than once a minute', () => {
    const row = { ...pastDue(), work: NO_WORK };
    const at = since + 10 * 60_000;
    const returned = withCustomerReturned(row, at);
    expect(returned).toMatchObject({ pastDueReadAt: at });
    if (returned === null) return;
    // Returning again before the read, and soon after it.
    expect(withCustomerReturned({ ...row, work: returned }, at + 1)).toBeNull();
    const read = { ...returned, pastDueReadAt: nextPastDueRead(since, at + 1) };
    const again = withCustomerReturned({ ...row, work: read }, at + 20_000);
    expect(again).toMatchObject({ pastDueReadAt: at + 60_000 });
    expect(withCustomerReturned({ ...row, status: 'active', pastDueSince: null }, at)).toBeNull();
    const muchLater = at + 30 * 60_000;
    expect(withCustomerReturned({ ...row, work: read }, muchLater)).toMatchObject({
      pastDueReadAt: muchLater,
    });
  });

  it('is not read once more when its customer returns at the time of a read', () => {
    const work = { ...NO_WORK, pastDueReadAt: since + HOUR_MS };
    expect(withCustomerReturned({ ...pastDue(), work }, since + HOUR_MS)).toBeNull();
  });
});

describe('a read in five minutes', () => {
  const plannedFor = (lookAgainAt: number | null, now: number): number | null =>
    withReadSoon({ ...view(), work: { ...NO_WORK, lookAgainAt } }, now).work.lookAgainAt;

  it.each([
    ['is planned if none is', null, START, START + 5 * MINUTE_MS],
    ['comes before a later one', START + HOUR_MS, START, START + 5 * MINUTE_MS],
    ['replaces one that is due, whose answer may be as old', START, START, START + 5 * MINUTE_MS],
    ['is not planned before one that comes sooner', START + MINUTE_MS, START, START + MINUTE_MS],
    ['is not planned if the period ends sooner', null, END - MINUTE_MS, null],
    ['is not planned if the period ends then', null, END - 5 * MINUTE_MS, null],
    ['is not planned if the period has ended and is read at once', null, END, null],
    [
      'comes before a later one of a period that the provider has not renewed',
      END + 6 * HOUR_MS,
      END + HOUR_MS,
      END + HOUR_MS + 5 * MINUTE_MS,
    ],
  ])('%s', (_, planned, now, expected) => {
    expect(plannedFor(planned, now)).toBe(expected);
  });

  it('is not planned for what is past due, which is read anyway, or has ended', () => {
    for (const status of ['past_due', 'cancelled'] as const) {
      const row = { ...view({ status }), work: NO_WORK };
      expect(withReadSoon(row, START)).toBe(row);
    }
    const trying = { ...view({ status: 'trialing' }), work: NO_WORK };
    expect(withReadSoon(trying, START).work.lookAgainAt).toBe(START + 5 * MINUTE_MS);
  });

  it('is no end of the period, and another step before it is none either', () => {
    const early = { ...IDLE, lookAgainAt: START + HOUR_MS };
    const why = 'The subscription is read at the payment provider.';
    expect(stepAt({ work: early })).toMatchObject({ step: 'read_back', why });
    const request = { lookAt: START + 1, expiresAt: END };
    expect(stepAt({ work: { ...early, request } })).toMatchObject({
      step: 'check_approval',
      why: 'The customer’s approval is checked at the payment provider.',
    });
    expect(stepAt({})).toMatchObject({ why: expect.stringContaining('The billing period ends') as string });
  });
});

it('is on its new terms after the renewal, with nothing left of what it waited for', () => {
  const sync = { state: 'prepared', retryAt: null } as const;
  const before = view({
    status: 'past_due',
    pastDueSince: START,
    scheduledInterval: 'year',
    cancelAt: END + DAY_MS,
    work: { ...IDLE, sync, lookAgainAt: END + HOUR_MS },
  });
  const waiting = { unsettled: null, request: null, sync: null, lookAgainAt: null };
  expect(takeStep(before, 'read_back')).toMatchObject({
    status: 'active',
    pastDueSince: null,
    interval: 'year',
    scheduledInterval: null,
    currentPeriodStart: END,
    cancelAtPeriodEnd: true,
    work: waiting,
  });
});

it('still waits for everything else once a change is prepared', () => {
  const work = { ...IDLE, unsettled: { retryAt: END }, lookAgainAt: END, pastDueReadAt: END };
  const sync = { state: 'prepared', retryAt: null };
  expect(takeStep(view({ work }), 'prepare_change').work).toEqual({ ...work, sync });
});

it('is read early only before its period is over', () => {
  const early = (lookAgainAt: number) => isReadEarly(view({ work: { ...IDLE, lookAgainAt } }));
  expect([END - 1, END].map(early)).toEqual([true, false]);
});

it('ends at the boundary after a cancellation, as far as is known before', () => {
  expect(takeStep(view({ cancelAtPeriodEnd: true }), 'read_back')).toMatchObject({ status: 'cancelled' });
  expect(upcomingSteps(view({ cancelAtPeriodEnd: true }), START, 5)).toHaveLength(1);
});

it('comes to an end of what is due, whatever waits, and never wakes before its earliest wait', () => {
  const instant = fc.integer({ min: START - 40 * DAY_MS, max: END + 40 * DAY_MS });
  const maybe = fc.option(instant, { nil: null });
  const views = fc.record({
    provider: fc.constantFrom('provider_a', 'provider_b', 'provider_c'),
    status: fc.constantFrom('trialing', 'active', 'past_due', 'incomplete', 'cancelled'),
    incompleteUntil: maybe,
    pastDueSince: maybe,
    scheduledInterval: fc.constantFrom(null, 'month'),
    cancelAtPeriodEnd: fc.boolean(),
    work: fc.record({
      unsettled: fc.option(fc.record({ retryAt: instant }), { nil: null }),
      request: fc.option(fc.record({ lookAt: instant, expiresAt: instant }), { nil: null }),
      sync: fc.option(
        fc.record({ state: fc.constantFrom('claimed', 'prepared', 'failed'), retryAt: maybe }),
        { nil: null },
      ),
      lookAgainAt: maybe,
      pastDueReadAt: maybe,
    }),
  });
  fc.assert(
    fc.property(views, (changes) => {
      const any = view(changes);
      const wake = wakeAt(any);
      if (wake !== null) expect(nextWake(any, wake - 1).kind).toBe('wait');
      const steps = upcomingSteps(any, START, 40);
      for (const [index, { at }] of steps.entries()) {
        if (index > 0) expect(at).toBeGreaterThanOrEqual(START);
      }
      // Every step makes progress: no state repeats the same step at the same instant indefinitely.
      let current = any;
      for (let count = 0; count < 60; count += 1) {
        const due = nextWake(current, END);
        if (due.kind !== 'due') return;
        current = takeStep(current, due.step);
      }
      throw new Error('It is never done.');
    }),
    cases(500),
  );
});
