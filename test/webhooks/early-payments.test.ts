import { DAY_MS } from '../../src/domain/instant';
import type { CanonicalEvent } from '../../src/providers/canonical-event';
import { eventOf } from './fake-provider';
import { paymentOf, WebhookWorkspace } from './webhook-workspace';
import { useStarted } from '../support/use-started';

/**
 * A payment and its invoice that are reported before their subscription is known. Each event carries half of the
 * payment's references, and the provider cannot be asked while the events are applied.
 */
const ours = useStarted(() => WebhookWorkspace.start());

const AT = Date.UTC(2026, 2, 1);

function early(subscription: string, name: string, at = AT): Record<'payment' | 'invoice', CanonicalEvent> {
  const customer = { kind: 'customer' as const, reference: 'cus_early' };
  return {
    payment: eventOf('payment.succeeded', {
      references: [{ kind: 'payment', reference: `pi_${name}` }, customer],
      payment: paymentOf(`pi_${name}`, { occurredAt: at }),
    }),
    invoice: eventOf('invoice.paid', {
      references: [
        { kind: 'invoice', reference: `in_${name}` },
        { kind: 'subscription', reference: subscription },
        customer,
      ],
      payment: paymentOf(`in_${name}`, {
        kind: 'invoice',
        invoiceReference: `in_${name}`,
        subscriptionReference: subscription,
        occurredAt: at - 1_000,
      }),
    }),
  };
}

/** Makes the subscription known, and its customer too. */
async function learn(there: WebhookWorkspace, reference: string): Promise<void> {
  there.say(reference, { customerReference: 'cus_early' });
  const references = [{ kind: 'subscription' as const, reference }];
  await there.post(eventOf('subscription.changed', { references }));
}

const paymentsOf = (there: WebhookWorkspace) =>
  there.rows('payments', 'amount, status, subscription_id', 'true ORDER BY id');

test.each([
  ['payment first', ['payment', 'invoice'] as const],
  ['invoice first', ['invoice', 'payment'] as const],
])('are one payment of the subscription, %s', async (_, order) => {
  const there = await ours.another();
  const { id, reference } = await there.subscribe();
  const hidden = `later_${reference}`;
  await there.service.database.query(
    'UPDATE tollgate.provider_references SET reference = $2 WHERE reference = $1',
    [reference, hidden],
  );
  const events = early(reference, 'one');
  for (const name of order) await there.post(events[name]);
  expect(await paymentsOf(there)).toEqual([]);
  await there.service.database.query(
    'UPDATE tollgate.provider_references SET reference = $2 WHERE reference = $1',
    [hidden, reference],
  );
  await learn(there, reference);
  // The subscription's own reference is already known, so its invoice is reported again.
  there.provider.payments.set(
    'in_one',
    paymentOf('pi_one', { invoiceReference: 'in_one', subscriptionReference: reference }),
  );
  await there.post(events.invoice);
  expect(await paymentsOf(there)).toEqual([{ amount: '2900', status: 'succeeded', subscription_id: id }]);
});

test('two equal payments and their invoices are two', async () => {
  const there = await ours.another();
  const { reference } = await there.subscribe();
  const [first, second] = [early('sub_unknown', 'a'), early('sub_unknown', 'b', AT + 60_000)];
  for (const event of [first.payment, second.invoice, second.payment, first.invoice]) await there.post(event);
  await learn(there, reference);
  expect(await paymentsOf(there)).toHaveLength(2);
});

test('a payment of another day is another', async () => {
  const there = await ours.another();
  const { reference } = await there.subscribe();
  const today = early('sub_unknown', 'x');
  const tomorrow = early('sub_unknown', 'y', AT + DAY_MS);
  await there.post(today.payment);
  await there.post(tomorrow.invoice);
  await learn(there, reference);
  expect(await paymentsOf(there)).toHaveLength(2);
});
