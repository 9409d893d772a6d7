import { DAY_MS } from '../../src/domain/instant';
import type { DisputeFacts } from '../../src/providers/canonical-event';
import { eventOf } from '../webhooks/fake-provider';
import { paymentOf, refundOf, WebhookWorkspace } from '../webhooks/webhook-workspace';
import { expectExamples } from './examples';
import { MessageLog } from './message-log';
import { useStarted } from '../support/use-started';

/** Providers' reports about money, in any order and any number of times, cause one message for each state. */
const there = useStarted(() => WebhookWorkspace.start());
let messages: MessageLog;
beforeAll(async () => {
  messages = await MessageLog.by(there.service, there.workspace.sandbox);
});

const T0 = Date.UTC(2026, 2, 1);

async function paid(reference: string, status: 'succeeded' | 'pending' | 'failed' = 'succeeded') {
  const { reference: subscription } = await there.subscribe();
  const payment = paymentOf(reference, { subscriptionReference: subscription, status });
  const tell = async (as: typeof status): Promise<void> => {
    there.provider.payments.set(reference, { ...payment, status: as });
    const references = [{ kind: 'subscription' as const, reference: subscription }];
    const type = as === 'failed' ? 'payment.failed' : 'payment.succeeded';
    await there.post(eventOf(type, { references, payment: { ...payment, status: as } }));
  };
  await tell(status);
  return tell;
}

test('a payment on its way, that fails, and is made after all', async () => {
  const tell = await paid('pi_way', 'pending');
  await tell('pending');
  expect(await messages.typesOf()).toEqual(['payment.pending']);
  await tell('failed');
  await tell('failed');
  expect(await messages.typesOf()).toContain('payment.failed');
  await tell('succeeded');
  await tell('failed');
  await tell('succeeded');
  expect((await messages.typesOf()).filter((type) => type.startsWith('payment.'))).toEqual([
    'payment.succeeded',
  ]);
});

test('a payment whose subscription becomes known later is reported once', async () => {
  const { reference, customerId } = await there.subscribe();
  await there.refer('customer', 'cus_late', customerId);
  const alone = paymentOf('pi_late');
  there.provider.payments.set('pi_late', alone);
  const references = [{ kind: 'customer' as const, reference: 'cus_late' }];
  await there.post(eventOf('payment.succeeded', { references, payment: alone }));
  const tied = { ...alone, subscriptionReference: reference };
  there.provider.payments.set('pi_late', tied);
  const both = [{ kind: 'subscription' as const, reference }, ...references];
  await there.post(eventOf('payment.succeeded', { references: both, payment: tied }));
  const types = await messages.typesOf();
  expect(types.filter((type) => type.startsWith('payment.'))).toEqual(['payment.succeeded']);
});

test('refunds that the provider made: pending, done, and back again', async () => {
  await paid('pi_back');
  await messages.news();
  const tell = async (name: string, status: 'pending' | 'succeeded' | 'failed'): Promise<void> => {
    const refund = refundOf(name, 'pi_back', { status });
    there.provider.refunds.set(name, refund);
    await there.post(eventOf('refund.changed', { references: [refund.of], refund }));
  };
  // Read before the next status, so that the example shows the refund as it is then.
  for (const status of ['pending', 'pending'] as const) await tell('re_1', status);
  expect(await messages.typesOf()).toEqual(['refund.pending']);
  for (const status of ['succeeded', 'succeeded'] as const) await tell('re_1', status);
  expect(await messages.typesOf()).toEqual(['refund.succeeded']);
  await tell('re_1', 'failed');
  await tell('re_1', 'failed');
  expect(await messages.typesOf()).toEqual(['refund.failed']);
});

test('disputes: opened, lost, and won after all', async () => {
  await paid('pi_d');
  await messages.news();
  const tell = async (status: DisputeFacts['status'], day: number): Promise<void> => {
    const dispute: DisputeFacts = {
      reference: 'dp_1',
      of: { kind: 'payment', reference: 'pi_d' },
      amount: 2900n,
      currency: 'USD',
      status,
      openedAt: null,
      reason: 'fraudulent',
    };
    const occurredAt = T0 + day * DAY_MS;
    await there.post(eventOf('dispute.changed', { references: [dispute.of], occurredAt, dispute }));
  };
  await tell('open', 0);
  await tell('open', 0);
  expect(await messages.typesOf()).toEqual(['dispute.opened']);
  await tell('lost', 1);
  await tell('lost', 1);
  await tell('open', 0);
  expect(await messages.typesOf()).toEqual(['refund.succeeded', 'dispute.lost']);
  await tell('won', 2);
  expect(await messages.typesOf()).toEqual(['refund.failed', 'dispute.won']);
  await messages.expectGapless();
});

test('a webhook that is refused or replayed announces nothing', async () => {
  const tell = await paid('pi_replayed');
  await messages.news();
  const { body } = await there.operator.get('/api/webhooks', { query: { take: '1' } });
  const [last] = body['data'] as { id: string }[];
  await there.operator.post(`/api/webhooks/${last?.id ?? ''}/replay`);
  await tell('succeeded');
  await there.post(eventOf('payment.succeeded', { references: [] }), { signature: 't=1,v1=00' });
  expect(await messages.typesOf()).toEqual([]);
});

test('the examples of the documents are what is sent', () => {
  expectExamples(
    [
      ...(['payment.pending', 'refund.pending', 'refund.failed'] as const),
      ...(['dispute.opened', 'dispute.won', 'dispute.lost'] as const),
    ],
    messages.examples,
  );
});
