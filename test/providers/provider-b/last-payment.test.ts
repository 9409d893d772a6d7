import { createProviderB } from '../../../src/providers/provider-b/adapter';
import { accessTo } from './simulated-provider-b';
import { startStubProviderB, type StubProviderB } from './stub-provider-b';

const adapter = createProviderB({ now: Date.now });

let stub: StubProviderB;
beforeEach(async () => {
  stub = await startStubProviderB();
});
afterEach(() => stub.stop());

const AT = '2027-01-15T10:00:00Z';

/** Reads a subscription whose last payment has this status, and was the last that failed. */
async function read(status: string | undefined, members: object = {}): Promise<unknown> {
  const amount = { currency_code: 'USD', value: '10.00' };
  const billing = {
    last_payment: { ...(status !== undefined && { status }), amount, time: AT },
    last_failed_payment: { amount, time: AT },
    next_billing_time: '2027-02-15T10:00:00Z',
    failed_payments_count: 0,
  };
  const body = { id: 'I-1', status: 'ACTIVE', plan_id: 'P-BASIC', billing_info: billing, ...members };
  stub.reply = () => ({ status: 200, body });
  const outcome = await adapter.fetchSubscription(accessTo(stub.url), 'I-1');
  return 'value' in outcome ? outcome.value : outcome;
}

// https://developer.paypal.com/docs/api/subscriptions/v1/#definition-last_payment_details
describe('the last payment of a subscription', () => {
  it('that was declined is none', async () => {
    const facts = await read('DECLINED');
    expect(facts).toMatchObject({ status: 'past_due' });
    expect(facts).not.toHaveProperty('lastPayment');
  });

  it('that was declined does not complete a checkout of one billing cycle', async () => {
    await read('DECLINED', { status: 'EXPIRED' });
    const checkout = { kind: 'subscription', reference: 'I-1' } as const;
    const outcome = await adapter.fetchCheckout(accessTo(stub.url), checkout);
    expect(outcome).toMatchObject({ value: { status: 'expired' } });
  });

  it.each(['COMPLETED', 'PENDING', 'PARTIALLY_REFUNDED', undefined])(
    'of the status %s is one',
    async (status) => {
      expect(await read(status)).toMatchObject({ status: 'active', lastPayment: { amount: '1000' } });
    },
  );
});
