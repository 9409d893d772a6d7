import { createProviderB } from '../../src/providers/provider-b/adapter';
import type { CanonicalEvent } from '../../src/providers/canonical-event';
import {
  accessTo,
  CLIENT_ID,
  linkOf,
  startSimulatedProviderB,
  type SimulatedProviderB,
} from '../providers/provider-b/simulated-provider-b';

const adapter = createProviderB({ now: Date.now });

let b: SimulatedProviderB;
beforeEach(async () => {
  b = await startSimulatedProviderB();
});
afterEach(() => b.stop());

const context = { return_url: 'https://shop.example/back' };

async function eventsByType(): Promise<Map<string, CanonicalEvent>> {
  const arrived = await b.webhooks();
  return new Map(arrived.map(({ raw, event }) => [event.event_type, adapter.readEvent(raw)]));
}

describe('the events of the simulated provider B', () => {
  it('say of a subscription and its payment what the API says', async () => {
    const made = await b.call('POST', '/v1/billing/subscriptions', {
      plan_id: 'P-YEN',
      quantity: '2',
      application_context: context,
    });
    await b.choose(linkOf(made, 'approve'), 'approve');
    const events = await eventsByType();
    const fetched = await adapter.fetchSubscription(accessTo(b.url), made.body.id);
    expect(fetched).toEqual({
      kind: 'done',
      value: events.get('BILLING.SUBSCRIPTION.UPDATED')?.subscription,
    });

    const sale = events.get('PAYMENT.SALE.COMPLETED')?.payment;
    expect(sale).toMatchObject({ amount: 2400n, currency: 'JPY', subscriptionReference: made.body.id });
    const read = await adapter.fetchPayment(accessTo(b.url), 'payment', sale?.reference ?? '');
    expect(read).toEqual({ kind: 'done', value: sale });

    await b.call('POST', `/v1/payments/sale/${sale?.reference ?? ''}/refund`, {});
    const refund = (await eventsByType()).get('PAYMENT.SALE.REFUNDED')?.refund;
    const reported = await adapter.fetchRefund(accessTo(b.url), refund?.reference ?? '');
    // Version 2 of the API names the payment, too, and calls it a capture.
    expect(reported).toEqual({
      kind: 'done',
      value: { ...refund, of: { kind: 'capture', reference: refund?.of.reference } },
    });
  });

  it.each([false, true])(
    'say of a capture and its refund what the API says (related id: %s)',
    async (related) => {
      b.b.act({ clientId: CLIENT_ID, switches: { relatedCaptureId: related } });
      const made = await b.call('POST', '/v2/checkout/orders', {
        intent: 'CAPTURE',
        purchase_units: [{ amount: { currency_code: 'HUF', value: '1500' } }],
        application_context: context,
      });
      await b.choose(linkOf(made, 'approve'), 'approve');
      await b.call('POST', `/v2/checkout/orders/${made.body.id}/capture`);
      const payment = (await eventsByType()).get('PAYMENT.CAPTURE.COMPLETED')?.payment;
      expect(payment).toMatchObject({ kind: 'capture', amount: 150_000n, currency: 'HUF' });
      expect(await adapter.fetchPayment(accessTo(b.url), 'order', made.body.id)).toEqual({
        kind: 'done',
        value: payment,
      });

      const capture = payment?.reference ?? '';
      await b.call('POST', `/v2/payments/captures/${capture}/refund`, {
        amount: { value: '500', currency_code: 'HUF' },
      });
      const refund = (await eventsByType()).get('PAYMENT.CAPTURE.REFUNDED')?.refund;
      expect(refund).toMatchObject({ of: { kind: 'capture', reference: capture }, amount: 50_000n });
      expect(await adapter.fetchRefund(accessTo(b.url), refund?.reference ?? '')).toEqual({
        kind: 'done',
        value: refund,
      });
    },
  );

  it('go to webhooks that were seeded as JSON, and accounts obey acts in JSON', async () => {
    const seeded = b.b.seed({
      clientId: 'seeded',
      clientSecret: 'not-real',
      webhooks: [{ id: 'SEEDED1', url: 'https://shop.example/hook' }],
      plans: [{ id: 'P-S', name: 'S', price: { value: '1.00', currency_code: 'USD' } }],
    });
    expect(seeded).toMatchObject({ clientId: 'seeded', webhookIds: ['SEEDED1'] });
    expect(() => b.b.seed({ clientId: 'seeded' })).toThrow();
    expect(() => b.b.act({ clientId: 'nobody' })).toThrow(RangeError);
    b.b.act({ clientId: CLIENT_ID, revokeTokens: true });
    expect((await b.call('GET', '/v1/notifications/webhooks')).status).toBe(401);
  });
});
