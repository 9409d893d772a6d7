import {
  accessStatusOf,
  type AccessStatusView,
  type SubscriptionStatus,
} from '../../src/domain/subscription';
import { DAY_MS } from '../../src/domain/instant';

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

  it('ends provider A at the period’s end when it does not renew', () => {
    const ending = view({ provider: 'provider_a', cancelAtPeriodEnd: true });
    expect(accessStatusOf(ending, policy, END - 1)).toBe('active');
    expect(accessStatusOf(ending, policy, END)).toBe('none');
    const pastDue = { ...ending, status: 'past_due' as const, pastDueSince: END - DAY_MS };
    expect(accessStatusOf(pastDue, policy, END)).toBe('none');
  });

  it('grants provider C until its own disable event', () => {
    const ending = view({ provider: 'provider_c', cancelAtPeriodEnd: true });
    expect(accessStatusOf(ending, policy, END + 30 * DAY_MS)).toBe('active');
    expect(accessStatusOf({ ...ending, status: 'cancelled' }, policy, END)).toBe('none');
  });
});
