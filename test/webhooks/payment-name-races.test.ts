import { eventOf } from './fake-provider';
import { paymentOf, WebhookWorkspace } from './webhook-workspace';

let ours: WebhookWorkspace;
beforeAll(async () => {
  ours = await WebhookWorkspace.start();
});
afterAll(() => ours.stop());

test('a payment that comes at the same moment also by its invoice is one', async () => {
  const { reference } = await ours.subscribe();
  const references = [{ kind: 'subscription' as const, reference }];
  for (let round = 1; round <= 20; round += 1) {
    const invoiceReference = `in_${round}`;
    const of = { subscriptionReference: reference, invoiceReference };
    const posts = [paymentOf(invoiceReference, { kind: 'invoice', ...of }), paymentOf(`pi_${round}`, of)].map(
      (payment) => {
        ours.provider.payments.set(payment.reference, payment);
        return ours.post(eventOf('payment.succeeded', { references, payment }));
      },
    );
    expect((await Promise.all(posts)).map(({ status }) => status)).toEqual([200, 200]);
    expect(await ours.rows('payments', 'id')).toHaveLength(round);
  }
});
