import { Client } from 'pg';
import { providerReferenceLock } from '../../src/db/advisory-locks';
import { untilLockWaits } from '../support/lock-waits';
import { useStarted } from '../support/use-started';
import { eventOf } from './fake-provider';
import { paymentOf, WebhookWorkspace } from './webhook-workspace';

// A webhook looks once for a deadlock, which takes seconds to come about on a loaded machine.
const ours = useStarted(() => WebhookWorkspace.start({ deadlockTimeout: '5s' }));

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

test('a webhook that is ended because it and another transaction wait for each other is applied again', async () => {
  const { id, reference } = await ours.subscribe();
  const payment = paymentOf('pi_crossed', { subscriptionReference: reference });
  ours.provider.payments.set(payment.reference, payment);
  const other = new Client({ connectionString: ours.service.database.adminUrl });
  await other.connect();
  // The webhook waits longer, so Postgres aborts it and not this transaction.
  await other.query("BEGIN; SET LOCAL deadlock_timeout = '30s'");
  await other.query(
    `SELECT pg_advisory_xact_lock(${providerReferenceLock('$1::text', "'sandbox'", '$2::text')})`,
    [ours.workspace.workspaceId, `${ours.connection} pi_crossed`],
  );
  const references = [{ kind: 'subscription' as const, reference }];
  const answer = ours.post(eventOf('payment.succeeded', { references, payment }));
  await untilLockWaits(ours.service.database);
  await other.query('SELECT FROM tollgate.subscriptions WHERE id = $1 FOR UPDATE', [id]);
  await other.query('COMMIT');
  await other.end();
  expect((await answer).status).toBe(200);
  expect(await ours.rows('payments', 'status', "reference = 'pi_crossed'")).toEqual([
    { status: 'succeeded' },
  ]);
});
