import { subscriptionFacts } from '../../../src/providers/provider-c/subscription-facts';

const JANUARY = Date.parse('2027-01-31T09:00:00Z');
const MARCH = Date.parse('2027-03-31T09:00:00Z');

const completed = {
  code: 'SUB_1',
  status: 'completed',
  nextPaymentDate: null,
  createdAt: JANUARY,
  hasInvoice: true,
  lastPeriodStart: MARCH,
  lastChargeFailed: false,
  lastInvoice: null,
  planCode: 'PLN_1',
  customerCode: 'CUS_1',
  quantity: 1,
  unitAmount: '100',
};

describe('the last period of a completed subscription at provider C', () => {
  it('is that of the last invoice, if it was paid', () => {
    expect(subscriptionFacts(completed)).toMatchObject({ isCompleted: true, currentPeriodStart: MARCH });
  });

  it('is the first one if nothing else was charged', () => {
    const once = { ...completed, hasInvoice: false, lastPeriodStart: null };
    expect(subscriptionFacts(once)).toMatchObject({ isCompleted: true, currentPeriodStart: JANUARY });
  });

  it('is not known while its invoice is open', () => {
    expect(subscriptionFacts({ ...completed, lastPeriodStart: null })?.currentPeriodStart).toBeNull();
  });

  it('is not paid if its charge failed', () => {
    const failed = { ...completed, lastPeriodStart: null, lastChargeFailed: true };
    expect(subscriptionFacts(failed)).toMatchObject({ status: 'cancelled', currentPeriodStart: null });
    expect(subscriptionFacts(failed)).not.toHaveProperty('isCompleted');
  });
});
