import fc from 'fast-check';
import {
  accessStatusOf,
  accessStatusThen,
  type AccessStatusView,
  type SubscriptionStatus,
} from '../../src/domain/subscription';
import { DAY_MS, HOUR_MS } from '../../src/domain/instant';
import { paidUntil } from '../../src/domain/subscription-access';
import { cases } from './property';

const END = Date.parse('2026-02-01');
const policy = { graceDays: 3, expireAfterDays: 14 };

function view(changes: Partial<AccessStatusView> = {}): AccessStatusView {
  return {
    status: 'active',
    provider: 'internal',
    cancelAtPeriodEnd: false,
    currentPeriodEnd: END,
    pastDueSince: null,
    paymentDueAt: null,
    ...changes,
  };
}

describe('standing towards access', () => {
  it.each<[SubscriptionStatus, string]>([
    ['trialing', 'active'],
    ['active', 'active'],
    ['incomplete', 'none'],
    ['cancelled', 'none'],
    ['expired', 'none'],
  ])('%s is %s, long after its period too, because only its row and the time count', (status, expected) => {
    expect(accessStatusOf(view({ status }), policy, END - 1)).toBe(expected);
    expect(accessStatusOf(view({ status }), policy, END + 400 * DAY_MS)).toBe(expected);
  });

  it('grants a past-due one within the grace, then denies for that reason, then altogether', () => {
    const pastDue = view({ status: 'past_due', pastDueSince: END });
    expect(accessStatusOf(pastDue, policy, END + 3 * DAY_MS - 1)).toBe('active');
    expect(accessStatusOf(pastDue, policy, END + 3 * DAY_MS)).toBe('past_due');
    expect(accessStatusOf(pastDue, policy, END + 14 * DAY_MS - 1)).toBe('past_due');
    expect(accessStatusOf(pastDue, policy, END + 14 * DAY_MS)).toBe('none');
  });

  it('counts an active one as past due from the instant its payment is, before anything has written that down', () => {
    const unpaid = view({ paymentDueAt: END });
    expect(accessStatusOf(unpaid, policy, END + 3 * DAY_MS - 1)).toBe('active');
    expect(accessStatusOf(unpaid, policy, END + 3 * DAY_MS)).toBe('past_due');
    expect(accessStatusOf(unpaid, policy, END + 14 * DAY_MS)).toBe('none');
  });

  it('grants nothing without a date that the grace could count from', () => {
    expect(accessStatusOf(view({ status: 'past_due' }), policy, END)).toBe('past_due');
  });

  it.each(['provider_a', 'provider_b'] as const)(
    'ends %s at the period’s end when it does not renew',
    (provider) => {
      const ending = view({ provider, cancelAtPeriodEnd: true });
      expect(accessStatusOf(ending, policy, END - 1)).toBe('active');
      expect(accessStatusOf(ending, policy, END)).toBe('none');
      const pastDue = { ...ending, status: 'past_due' as const, pastDueSince: END - DAY_MS };
      expect(accessStatusOf(pastDue, policy, END)).toBe('none');
    },
  );

  it('grants provider C until its own disable event', () => {
    const ending = view({ provider: 'provider_c', cancelAtPeriodEnd: true });
    expect(accessStatusOf(ending, policy, END + 30 * DAY_MS)).toBe('active');
    expect(accessStatusOf({ ...ending, status: 'cancelled' }, policy, END)).toBe('none');
  });
});

test('one that is past due from the end of its paid period is paid until then', () => {
  expect(paidUntil({ pastDueSince: END }, END - 1)).toBe(END);
  expect(paidUntil({ pastDueSince: END }, END)).toBeNull();
  expect([paidUntil({ pastDueSince: null }, END), paidUntil({}, END)]).toEqual([null, null]);
});

describe('past access', () => {
  const START = END - 31 * DAY_MS;
  const days = (min: number, max: number) =>
    fc.integer({ min: min * 24, max: max * 24 }).map((hours) => hours * HOUR_MS);

  it('is what it was at that time, also if it was cancelled since, unpaid or not', () => {
    const drawn = {
      dueAfter: fc.option(days(0, 40)),
      cancelledAfter: days(0, 90),
      usedAfter: days(-2, 100),
      isRecorded: fc.boolean(),
      grace: fc.integer({ min: 0, max: 20 }),
      more: fc.integer({ min: 0, max: 20 }),
    };
    fc.assert(
      fc.property(fc.record(drawn), ({ dueAfter, cancelledAfter, usedAfter, isRecorded, grace, more }) => {
        const terms = { graceDays: grace, expireAfterDays: grace + more };
        const [cancelledAt, at] = [START + cancelledAfter, START + usedAfter];
        const due = dueAfter === null ? null : START + dueAfter;
        // The step that records it may not have run when it is cancelled.
        const isPastDue = due !== null && due <= cancelledAt && isRecorded;
        const open = view({
          status: isPastDue ? 'past_due' : 'active',
          paymentDueAt: due,
          pastDueSince: isPastDue ? due : null,
        });
        const ended = { ...view({ status: 'cancelled' }), startedAt: START, cancelledAt, unpaidSince: due };
        const isWithin = at >= START && at < cancelledAt;
        const then = isWithin ? accessStatusOf(open, terms, at) : 'none';
        expect(accessStatusThen(ended, terms, at)).toBe(then);
        if (isWithin) expect(accessStatusThen({ ...open, startedAt: START }, terms, at)).toBe(then);
      }),
      cases(1000),
    );
  });

  it.each(['internal', 'provider_a', 'provider_b', 'provider_c'] as const)(
    'was at %s, after it has ended, what it was while it was open and not renewing',
    (provider) => {
      const open = view({ provider, cancelAtPeriodEnd: provider !== 'internal' });
      const cancelledAt = END + 2 * HOUR_MS;
      const ended = { ...open, status: 'cancelled' as const, startedAt: START, cancelledAt };
      for (const at of [END - 1, END, END + HOUR_MS])
        expect(accessStatusThen(ended, policy, at)).toBe(accessStatusOf(open, policy, at));
      expect(accessStatusThen(ended, policy, cancelledAt)).toBe('none');
    },
  );

  it('only falls while a payment is missing, whatever the steps have recorded', () => {
    const RANK = { active: 2, past_due: 1, none: 0 };
    fc.assert(
      fc.property(fc.tuple(days(0, 60), days(0, 60)), fc.boolean(), ([one, other], isRecorded) => {
        const unpaid = isRecorded
          ? view({ status: 'past_due', paymentDueAt: START, pastDueSince: START })
          : view({ paymentDueAt: START });
        const [earlier, later] = [START + Math.min(one, other), START + Math.max(one, other)];
        const rankAt = (at: number): number => RANK[accessStatusOf(unpaid, policy, at)];
        expect(rankAt(later)).toBeLessThanOrEqual(rankAt(earlier));
      }),
      cases(500),
    );
  });
});
