import fc from 'fast-check';
import { capabilitiesOf } from '../../src/domain/capabilities';
import { nextWake, takeStep, type LifecycleView } from '../../src/domain/lifecycle';
import { withProviderFacts } from '../../src/domain/provider-facts';
import { accessStatusOf } from '../../src/domain/subscription-access';
import { endAtProviderA, endsAt, endsWithPeriod, periodOverAt } from '../../src/domain/pending-cancellation';
import { upcomingSteps } from '../../src/domain/upcoming-steps';
import { cases } from './property';
import { END, PROVIDER_ROW, START } from './provider-row';
import { PREPARE_WINDOW_MS } from '../../src/domain/synchronizer-marker';
import { DAY_MS } from '../../src/domain/instant';

const SECOND = 1_000;
const THIRD = Date.parse('2026-09-01T00:00:00Z');
const POLICY = { graceDays: 3, expireAfterDays: 30 };

const atA = (
  cancelAt: number | null,
  {
    flag = false,
    end = END,
    first = end,
  }: { flag?: boolean; end?: number | null; first?: number | null } = {},
) =>
  endAtProviderA({
    ended: false,
    cancelAtPeriodEnd: flag,
    cancelAt,
    currentPeriodEnd: end,
    firstPeriodEnd: first,
    canceledAt: cancelAt === null ? null : START,
    endedAt: null,
  });

describe('when a subscription at provider A ends', () => {
  it.each([
    ['never, without either setting', null, false, { cancelAtPeriodEnd: false, cancelAt: null }],
    ['with its period, by the flag of old versions', null, true, { cancelAtPeriodEnd: true, cancelAt: null }],
    ['with its period, by both', END, true, { cancelAtPeriodEnd: true, cancelAt: END }],
    [
      'with its period, by an instant that is its end',
      END,
      false,
      { cancelAtPeriodEnd: true, cancelAt: END },
    ],
    ['a second before', END - SECOND, false, { cancelAtPeriodEnd: true, cancelAt: END - SECOND }],
    [
      'a second later, after one more charge',
      END + SECOND,
      false,
      { cancelAtPeriodEnd: false, cancelAt: END + SECOND },
    ],
    ['several periods ahead', THIRD, false, { cancelAtPeriodEnd: false, cancelAt: THIRD }],
    [
      'in the past, where it has not been ended yet',
      START - DAY_MS,
      false,
      { cancelAtPeriodEnd: true, cancelAt: START - DAY_MS },
    ],
    [
      'with its period, where an instant beyond it is left over',
      THIRD,
      true,
      { cancelAtPeriodEnd: true, cancelAt: END },
    ],
  ])('%s', (_when, cancelAt, flag, expected) => {
    expect(atA(cancelAt, { flag })).toEqual(expected);
  });

  it('is compared with the period of its plan, and by the flag it is the end of the first period of its items', () => {
    const first = END - DAY_MS;
    expect(atA(END, { first })).toEqual({ cancelAtPeriodEnd: true, cancelAt: END });
    expect(atA(first, { flag: true, first })).toEqual({ cancelAtPeriodEnd: true, cancelAt: first });
    expect(atA(THIRD, { flag: true, first }).cancelAt).toBe(first);
    expect(atA(THIRD, { flag: true, first: null }).cancelAt).toBe(END);
  });

  it('is when it ended, once it has, and else when that was asked for', () => {
    const over = {
      ended: true,
      cancelAtPeriodEnd: true,
      cancelAt: END,
      currentPeriodEnd: END,
      firstPeriodEnd: END,
    };
    expect(endAtProviderA({ ...over, canceledAt: START, endedAt: END }).cancelAt).toBe(END);
    expect(endAtProviderA({ ...over, canceledAt: START, endedAt: null }).cancelAt).toBe(START);
  });

  it('is not said where nothing of its periods is', () => {
    expect(atA(THIRD, { end: null })).toEqual({ cancelAtPeriodEnd: false, cancelAt: THIRD });
  });
});

const row = (changes: Partial<LifecycleView> = {}) => ({
  ...PROVIDER_ROW,
  startedAt: START,
  cancelledAt: null,
  providerReference: 'sub_1',
  work: { unsettled: null, request: null, sync: null, lookAgainAt: null },
  ...changes,
  cancelAtPeriodEnd: changes.cancelAtPeriodEnd ?? false,
  cancelAt: changes.cancelAt ?? null,
});

/** Returns the row after provider A has reported this end. */
const viewWith = (
  cancelAt: number | null,
  { flag = false, ends = END, ...changes }: { flag?: boolean; ends?: number } & Partial<LifecycleView> = {},
) =>
  withProviderFacts(
    row(changes),
    {
      status: 'active',
      currentPeriodStart: START,
      currentPeriodEnd: ends,
      ...atA(cancelAt, { flag, end: ends }),
    },
    { now: START, failedAt: null },
  );

const codes = (view: ReturnType<typeof viewWith>, now: number) => {
  const { cancel, reactivate, planChange } = capabilitiesOf(view, now);
  return [cancel, reactivate, planChange].map(({ reasonCode }) => reasonCode);
};

describe('an end beyond this period', () => {
  it('leaves the renewal: it can be cancelled, taken back and changed, and is prepared for its change', () => {
    const view = viewWith(THIRD, { scheduledInterval: 'month' });
    expect(view).toMatchObject({ cancelAtPeriodEnd: false, cancelAt: THIRD });
    expect(codes(view, START)).toEqual([null, null, null]);
    expect(nextWake(view, START)).toMatchObject({ step: 'prepare_change', at: END - PREPARE_WINDOW_MS });
    expect(accessStatusOf(view, POLICY, END)).toBe('active');
    expect(accessStatusOf(view, POLICY, THIRD - 1)).toBe('active');
    expect(accessStatusOf(view, POLICY, THIRD)).toBe('none');
  });

  it('comes after the renewals before it', () => {
    const steps = upcomingSteps(viewWith(THIRD), START, 12);
    expect(steps.map(({ at, view: { status } }) => [at, status])).toEqual([
      [END, 'active'],
      [Date.parse('2026-08-01T00:00:00Z'), 'active'],
      [THIRD, 'cancelled'],
    ]);
  });

  it('a second beyond is one renewal more', () => {
    const steps = upcomingSteps(viewWith(END + SECOND), START, 12);
    expect(steps.map(({ at, view: { status } }) => [at, status])).toEqual([
      [END, 'active'],
      [END + SECOND, 'cancelled'],
    ]);
  });
});

describe('an end within this period', () => {
  const middle = START + 10 * DAY_MS;

  it('is cancelled already, ends then, and grants until then', () => {
    const view = viewWith(middle);
    expect(view).toMatchObject({ cancelAtPeriodEnd: true, cancelAt: middle });
    expect(codes(view, START)).toEqual(['already_cancelling', null, 'cancellation_pending']);
    expect(codes(view, middle)).toEqual(['period_ended', 'period_ended', 'period_ended']);
    expect(nextWake(view, START)).toMatchObject({ step: 'read_back', at: middle });
    expect(takeStep(view, 'read_back').status).toBe('cancelled');
    expect([middle - 1, middle].map((now) => accessStatusOf(view, POLICY, now))).toEqual(['active', 'none']);
  });

  it('that was moved beyond it no longer counts, and the other way round', () => {
    const facts = { status: 'active', currentPeriodStart: START, currentPeriodEnd: END } as const;
    const occasion = { now: START, failedAt: null };
    expect(withProviderFacts(viewWith(middle), { ...facts, ...atA(THIRD) }, occasion)).toEqual(
      viewWith(THIRD),
    );
    expect(withProviderFacts(viewWith(THIRD), { ...facts, ...atA(null) }, occasion)).toEqual(viewWith(null));
  });
});

test('row, capabilities, standing, timeline and next wake are of one mind about any end', () => {
  const end = fc.option(
    fc.oneof(
      fc.constantFrom(START - DAY_MS, END - SECOND, END, END + SECOND, THIRD),
      fc.integer({ min: START / SECOND, max: THIRD / SECOND }).map((at) => at * SECOND),
    ),
  );
  const now = fc.integer({ min: START, max: THIRD + 40 * DAY_MS });
  fc.assert(
    fc.property(end, fc.boolean(), now, (cancelAt, flag, at) => {
      const view = viewWith(cancelAt, { flag });
      const ends = endsAt(view);
      expect(view.cancelAtPeriodEnd).toBe(endsWithPeriod(view));
      const { cancel, reactivate } = capabilitiesOf(view, at);
      const over = ends !== null && at >= ends;
      expect(accessStatusOf(view, POLICY, at)).toBe(over ? 'none' : 'active');
      expect(cancel.available).toBe(!over && !view.cancelAtPeriodEnd);
      expect(reactivate.available).toBe(!over && ends !== null);
      const wake = nextWake(view, Number.NEGATIVE_INFINITY);
      expect(wake).toMatchObject({ step: 'read_back', at: periodOverAt(view) });
      const last = upcomingSteps(view, START - 2 * DAY_MS, 12).find(
        (step) => step.view.status === 'cancelled',
      );
      expect(last?.at).toBe(ends === null ? undefined : Math.max(ends, START - 2 * DAY_MS));
    }),
    cases(1_000),
  );
});
