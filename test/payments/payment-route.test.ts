import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { idOf } from '../catalog/offer';
import { dataOf } from '../support/billing';
import { logIn, type OperatorClient } from '../support/operator';
import { startTestService } from '../support/service';
import { untilLockWaits } from '../support/lock-waits';
import { useService } from '../support/use-service';
import { owing, pay, read, usd } from './money';

/** How a payment is processed: in its own transaction, or by the workflow of its subscription. */
const service = useService({ commands: 'direct' });
let client: OperatorClient;
beforeAll(async () => {
  client = await logIn(service, { role: 'admin' });
});

const operationsOf = (target: string) =>
  service.database.query<{ kind: string; status: string }>(
    'SELECT kind, status FROM tollgate.operations WHERE target_id = $1',
    [target],
  );

async function moveDue(subscriptionId: string, dueAt: number): Promise<void> {
  await service.database.query('UPDATE tollgate.subscriptions SET payment_due_at = $2 WHERE id = $1', [
    subscriptionId,
    new Date(dueAt),
  ]);
}

test('a payment that changes no state does not need the workflow, which is signalled', async () => {
  const { transactionId, subscriptionId } = await owing(client);
  await pay(client, transactionId, '2900');
  expect(await operationsOf(transactionId)).toEqual([]);
  const jobs = await service.database.query<{ key: string }>(
    'SELECT key FROM graphile_worker._private_jobs WHERE key = $1',
    [`subscription/sandbox/${subscriptionId}`],
  );
  expect(jobs).toHaveLength(1);
});

test('a payment of what is due goes through the workflow', async () => {
  const { transactionId, subscriptionId } = await owing(client);
  await moveDue(subscriptionId, Date.now() - 1_000);
  await pay(client, transactionId, '2900');
  expect(await operationsOf(transactionId)).toEqual([{ kind: 'record_payment', status: 'succeeded' }]);
  expect(await read(client, 'subscriptions', subscriptionId)).toMatchObject({ status: 'active' });
});

test('a payment whose subscription becomes due at the same moment still goes through the workflow', async () => {
  const { transactionId, subscriptionId } = await owing(client);
  const other = new Client({ connectionString: service.database.adminUrl });
  await other.connect();
  try {
    await other.query('BEGIN');
    await other.query('UPDATE tollgate.subscriptions SET payment_due_at = $2 WHERE id = $1', [
      subscriptionId,
      new Date(Date.now() - 1_000),
    ]);
    const paying = pay(client, transactionId, '2900');
    await untilLockWaits(service.database);
    await other.query('COMMIT');
    expect(await paying).toMatchObject({ status: 201, body: { appliedAmount: usd('2900') } });
  } finally {
    await other.end();
  }
  expect(await operationsOf(transactionId)).toEqual([{ kind: 'record_payment', status: 'succeeded' }]);
  const payments = await client.get('/api/billing/payments', { query: { transactionId } });
  expect(dataOf(payments)).toHaveLength(1);
});

test('without Temporal a payment that moves no state is recorded, and another is refused and not lost', async () => {
  const offline = await startTestService();
  try {
    const admin = await logIn(offline, { role: 'admin' });
    const { transactionId, subscriptionId } = await owing(admin);
    idOf(await pay(admin, transactionId, '900'));
    await offline.database.query('UPDATE tollgate.subscriptions SET payment_due_at = $2 WHERE id = $1', [
      subscriptionId,
      new Date(Date.now() - 1_000),
    ]);
    const key = randomUUID();
    const refused = await pay(admin, transactionId, '2000', {}, key);
    expect([refused.status, refused.body['code']]).toEqual([503, 'temporal_unavailable']);
    expect(refused.headers.get('retry-after')).not.toBeNull();
    expect(await read(admin, 'transactions', transactionId)).toMatchObject({ amountPaid: usd('900') });
    // The same key means the same payment, which keeps the route on which it was accepted.
    await offline.database.query(
      'UPDATE tollgate.subscriptions s SET payment_due_at = t.due_at FROM tollgate.subscription_transactions t WHERE t.subscription_id = s.id AND s.id = $1',
      [subscriptionId],
    );
    expect((await pay(admin, transactionId, '2000', {}, key)).body['code']).toBe('temporal_unavailable');
    const other = await pay(admin, transactionId, '1999', {}, key);
    expect(other.body['code']).toBe('idempotency_key_reused');
  } finally {
    await offline.stop();
  }
});
