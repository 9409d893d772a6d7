import { needsChargeOfPeriod } from '../../src/domain/change-at-renewal';
import { NO_WORK, withDropped } from '../../src/domain/provider-work';
import type { ReconciledView } from '../../src/domain/reconciled-view';
import { billedFacts, END, ON_PRO, PROVIDER_ROW, START, STARTER } from './provider-row';

const atB = (changes: Partial<ReconciledView> = {}): ReconciledView => ({
  ...PROVIDER_ROW,
  ...ON_PRO,
  provider: 'provider_b',
  unitAmount: 3000n,
  planUnitAmount: 3000n,
  work: NO_WORK,
  ...changes,
});
const period = { currentPeriodStart: END, currentPeriodEnd: Date.parse('2026-08-01T00:00:00Z') };
const charged = billedFacts({ ...period, lastPayment: { amount: '6600', at: END } });

const scheduled = { ...STARTER, requestedAt: START };
const asked = { ...STARTER, unitAmount: '1000', planReference: 'P-STARTER', requestedAt: START };
const request = { ...asked, approvalUrl: null, lookAt: START, expiresAt: END };

describe('the charge for the current period', () => {
  it('says nothing that is not known if the renewal can bring one price only', () => {
    expect(needsChargeOfPeriod(atB(), charged)).toBe(false);
  });

  it.each([
    ['scheduled', { scheduled }],
    ['waiting for its approval', { work: { ...NO_WORK, request } }],
    ['dropped', { work: withDropped(NO_WORK, asked) }],
  ] as const)('helps to read a renewal at provider B while a change is %s', (_, waiting) => {
    expect(needsChargeOfPeriod(atB(waiting), charged)).toBe(true);
    expect(needsChargeOfPeriod(atB({ ...waiting, provider: 'provider_a' }), charged)).toBe(false);
  });

  it('helps to read a renewal after the plan’s price has changed', () => {
    expect(needsChargeOfPeriod(atB({ planUnitAmount: 3500n }), charged)).toBe(true);
  });

  it('does not help before the renewal, or if no payment is reported', () => {
    const before = { ...charged, currentPeriodStart: START, currentPeriodEnd: END };
    expect(needsChargeOfPeriod(atB({ scheduled }), before)).toBe(false);
    expect(needsChargeOfPeriod(atB({ scheduled }), billedFacts(period))).toBe(false);
  });
});
