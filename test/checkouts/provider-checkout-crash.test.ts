import { randomUUID } from 'node:crypto';
import { reconciler } from '../../src/webhooks/webhook-reconciler';
import { createProviderCheckouts, type ProviderCheckouts } from '../../src/checkouts/provider-checkouts';
import { lockCheckoutRow, wakeCheckouts } from '../../src/checkouts/checkout-write-store';
import type { Database } from '../../src/db/pools';
import { inWorkspace } from '../../src/db/workspace-transaction';
import { TollgateError } from '../../src/domain/errors';
import type { CommandMessage } from '../../src/outbox/command-message';
import type { CommandSender } from '../../src/operations/command-sender';
import type { ProviderAdapter } from '../../src/providers/provider-adapter';
import { until } from '../support/until';
import { ProviderCheckoutBench, type ShownCheckout } from './provider-checkout-bench';
import type { PaymentProvider } from '../../src/domain/provider';
import { MINUTE_MS } from '../../src/domain/instant';
import { deliverWebhooks } from '../support/deliver-webhooks';
import { useStarted } from '../support/use-started';

type Deliver = (command: CommandMessage, direct: CommandSender) => ReturnType<CommandSender['send']>;
const works: Deliver = (command, direct) => direct.send(command);
const away: Deliver = () => {
  throw new TollgateError('temporal_unavailable', 'Away.', { retryAfter: 5 });
};
const lost: Deliver = () => Promise.resolve('pending');

let database: Database;
let deliver: Deliver = works;
const sent: CommandMessage[] = [];
const bench = useStarted(() =>
  ProviderCheckoutBench.start({
    commands: (direct) => ({
      send: async (command) => {
        sent.push(command);
        return deliver(command, direct);
      },
    }),
  }),
);
beforeAll(() => {
  database = bench.world.service.open('tollgate_worker', 4);
});
afterEach(() => {
  deliver = works;
  bench.world.simulators.core.outbox.switches.drop = false;
});
const PROVIDERS: [PaymentProvider][] = [['provider_a'], ['provider_b'], ['provider_c']];

/** Returns the steps of a worker that dies after the provider has done what was requested, before that is stored. */
async function dying(provider: PaymentProvider): Promise<ProviderCheckouts> {
  const { adapter, access } = await bench.world.open(provider);
  const killed: ProviderAdapter = {
    ...adapter,
    createCheckout: async (...request) => {
      await adapter.createCheckout(...request);
      throw new Error('The worker was killed.');
    },
    captureCheckout: async (...request) => {
      await adapter.captureCheckout(...request);
      throw new Error('The worker was killed.');
    },
  };
  const connected = { open: () => Promise.resolve({ adapter: killed, access }) };
  return createProviderCheckouts({ database, clock: bench.world.service.clock, connected, reconciler });
}

/** Creates an accepted checkout whose provider has not answered. */
async function reserved(provider: PaymentProvider): Promise<{ id: string; externalId: string; key: string }> {
  const { externalId } = await bench.customer();
  const paths = { provider_a: '/v1/checkout', provider_b: '/v1/billing', provider_c: '/transaction' };
  const key = randomUUID();
  bench.world.fault(provider, paths[provider], 'cut_after_commit', 9);
  const accepted = await bench.send({ externalId, planSlug: 'pro', provider }, key);
  bench.world.simulators.core.faults.clear();
  if (accepted.status !== 202) throw new Error(JSON.stringify(accepted.body));
  return { id: String(accepted.body['id']).replace('op_', 'chk_'), externalId, key };
}

test.each(PROVIDERS)(
  'killed after %s has made the page: asked again, there is one that can be paid',
  async (provider) => {
    const { id, externalId, key } = await reserved(provider);
    const worker = await dying(provider);
    await expect(worker.create(bench.scope, id)).rejects.toThrow('killed');
    expect(await bench.show(id)).toMatchObject({ status: 'open', url: null });
    await bench.unheard(id, (await bench.world.now()) + 5 * MINUTE_MS);
    const answer = await bench.send({ externalId, planSlug: 'pro', provider }, key);
    expect([answer.status, answer.body]).toMatchObject([201, { id, status: 'open' }]);
    await bench.pay(provider, await bench.show(id));
    await bench.unheard(id, (await bench.world.now()) + 5 * MINUTE_MS);
    expect(await bench.show(id)).toMatchObject({ status: 'complete' });
    const paid = (await bench.paymentsOf(externalId)).filter((row) => row['subscription_id'] !== null);
    expect(paid).toHaveLength(1);
  },
);

test('provider A has made one session for a creation that was sent twice', async () => {
  const { secretKey = '' } = bench.world.secrets.provider_a;
  const account = bench.world.simulators.providers.a.account({ secretKey });
  const before = account.sessions().length;
  const { id } = await reserved('provider_a');
  await expect((await dying('provider_a')).create(bench.scope, id)).rejects.toThrow('killed');
  await bench.unheard(id, (await bench.world.now()) + 5 * MINUTE_MS);
  expect(account.sessions()).toHaveLength(before + 1);
  expect(await bench.show(id)).toMatchObject({ status: 'open' });
});

test('killed after provider B has captured: the money is taken once, and the checkout is complete', async () => {
  const checkout = await bench.ask('provider_b');
  const { switches } = bench.world.simulators.core.outbox;
  switches.drop = true;
  await bench.pay('provider_b', checkout);
  await wake(checkout);
  const worker = await dying('provider_b');
  await expect(worker.sync(bench.scope, checkout.id, { givenUp: false })).rejects.toThrow('killed');
  switches.drop = false;
  await bench.wake(checkout.id);
  expect(await bench.show(checkout.id)).toMatchObject({ status: 'complete' });
  const [row] = await bench.rows<{ count: string }>(
    'SELECT count(*) FROM tollgate.payments p JOIN tollgate.checkouts k USING (customer_id) WHERE k.id = $1',
    [checkout.id],
  );
  expect(row?.count).toBe('1');
});

test('two workers that settle a paid checkout at once record one payment', async () => {
  const checkout = await bench.ask('provider_b');
  await bench.pay('provider_b', checkout);
  await deliverWebhooks(bench.world.simulators.core.outbox);
  await wake(checkout);
  const { adapter, access } = await bench.world.open('provider_b');
  const connected = { open: () => Promise.resolve({ adapter, access }) };
  const worker = createProviderCheckouts({
    database,
    clock: bench.world.service.clock,
    connected,
    reconciler,
  });
  await Promise.all(
    Array.from({ length: 4 }, () => worker.sync(bench.scope, checkout.id, { givenUp: false })),
  );
  expect(await bench.show(checkout.id)).toMatchObject({ status: 'complete' });
  const rows = await bench.rows(
    'SELECT p.id FROM tollgate.payments p JOIN tollgate.checkouts k USING (customer_id) WHERE k.id = $1',
    [checkout.id],
  );
  expect(rows).toHaveLength(1);
});

test('a webhook locks the checkout before it writes its payment, as the workflow does', async () => {
  const checkout = await bench.ask('provider_b');
  await bench.pay('provider_b', checkout);
  await deliverWebhooks(bench.world.simulators.core.outbox);
  await wake(checkout);
  const waiting = () =>
    bench.rows<{ wrote: string[] | null }>(
      `SELECT array_agg(c.relname) FILTER (WHERE l.mode = 'RowExclusiveLock') AS wrote
         FROM pg_stat_activity a LEFT JOIN pg_locks l USING (pid) LEFT JOIN pg_class c ON c.oid = l.relation
        WHERE a.datname = current_database() AND a.wait_event_type = 'Lock' GROUP BY a.pid`,
      [],
    );
  await inWorkspace(database, bench.scope, 'SYSTEM', async (trx) => {
    await lockCheckoutRow(trx, bench.scope, checkout.id);
    const worker = await dying('provider_b');
    await expect(worker.sync(bench.scope, checkout.id, { givenUp: false })).rejects.toThrow('killed');
    await until(async () => (await waiting()).length > 0);
    const [webhook] = await waiting();
    expect(webhook?.wrote ?? []).not.toContain('provider_references');
  });
  await deliverWebhooks(bench.world.simulators.core.outbox);
  await bench.wake(checkout.id);
  expect(await bench.show(checkout.id)).toMatchObject({ status: 'complete' });
});

test('a webhook about a checkout has it read at once, by its workflow', async () => {
  const checkout = await bench.ask('provider_a');
  await bench.world.service.database.query('DELETE FROM graphile_worker._private_jobs');
  await wake(checkout);
  const jobs = await bench.rows<{ key: string }>('SELECT key FROM graphile_worker._private_jobs', []);
  expect(jobs).toEqual([{ key: `checkout/sandbox/${checkout.id}` }]);
  const [row] = await bench.rows<{ next_wake_at: number }>(
    'SELECT next_wake_at FROM tollgate.checkouts WHERE id = $1',
    [checkout.id],
  );
  expect(row?.next_wake_at).toBeLessThanOrEqual(await bench.world.now());
});

test.each(PROVIDERS)(
  'given up at %s while nobody reaches Temporal: 202, and its job ends it',
  async (provider) => {
    for (const way of [away, lost]) {
      const checkout = await bench.offer(provider);
      await bench.world.service.database.query('DELETE FROM graphile_worker._private_jobs');
      deliver = way;
      const expired = await bench.expire(checkout.id);
      expect([expired.status, expired.body['status'], typeof expired.body['givenUpAt']]).toEqual([
        202,
        'open',
        'string',
      ]);
      const again = await bench.expire(checkout.id);
      expect([again.status, again.body['givenUpAt']]).toEqual([202, expired.body['givenUpAt']]);
      const jobs = await bench.rows<{ key: string }>('SELECT key FROM graphile_worker._private_jobs', []);
      expect(jobs).toEqual([{ key: `checkout/sandbox/${checkout.id}` }]);
      await bench.wake(checkout.id);
      expect(await bench.show(checkout.id)).toMatchObject({ status: 'expired', url: null });
      expect(await bench.world.show(checkout.subscriptionId)).toMatchObject({ status: 'expired' });
      deliver = works;
    }
  },
);

test('given up at a provider that does not answer, it is asked until it has said; paid meanwhile, it is complete', async () => {
  const [unpaid, paid] = [await bench.offer('provider_a'), await bench.offer('provider_a')];
  bench.world.fault('provider_a', '/v1/checkout/sessions', 'answer_500', 99);
  for (const { id } of [unpaid, paid]) expect((await bench.expire(id)).status).toBe(202);
  bench.world.simulators.core.faults.clear();
  bench.world.simulators.core.outbox.switches.drop = true;
  await bench.pay('provider_a', paid);
  for (const { id } of [unpaid, paid]) {
    await bench.unheard(id, (await bench.world.now()) + 10 * MINUTE_MS);
  }
  expect(await bench.show(unpaid.id)).toMatchObject({ status: 'expired' });
  expect(await bench.show(paid.id)).toMatchObject({ status: 'complete' });
});

test('given up while its page is made: it is ended there as soon as it is', async () => {
  const { id } = await reserved('provider_a');
  const { adapter, access } = await bench.world.open('provider_a');
  const slow: ProviderAdapter = {
    ...adapter,
    createCheckout: async (...request) => {
      const made = await adapter.createCheckout(...request);
      deliver = away;
      expect((await bench.expire(id)).status).toBe(202);
      return made;
    },
  };
  const connected = { open: () => Promise.resolve({ adapter: slow, access }) };
  const worker = createProviderCheckouts({
    database,
    clock: bench.world.service.clock,
    connected,
    reconciler,
  });
  await worker.create(bench.scope, id);
  await bench.wake(id);
  expect(await bench.show(id)).toMatchObject({ status: 'expired', url: null });
  const [row] = await bench.rows<{ reference: string }>(
    'SELECT reference FROM tollgate.checkouts WHERE id = $1',
    [id],
  );
  const { reference = '' } = row ?? {};
  const there = await adapter.fetchCheckout(access, { kind: 'checkout', reference });
  expect(there).toMatchObject({ kind: 'done', value: { status: 'expired' } });
});

test('replaced while its page is made: its key is refused again, and does not wait forever', async () => {
  const { id, externalId, key } = await reserved('provider_a');
  const { adapter, access } = await bench.world.open('provider_a');
  const offer = { externalId, planSlug: 'pro', provider: 'provider_a' };
  const slow: ProviderAdapter = {
    ...adapter,
    createCheckout: async (...request) => {
      const created = await adapter.createCheckout(...request);
      expect((await bench.send(offer)).status).toBe(201);
      return created;
    },
  };
  const connected = { open: () => Promise.resolve({ adapter: slow, access }) };
  const { clock } = bench.world.service;
  await createProviderCheckouts({ database, clock, connected, reconciler }).create(bench.scope, id);
  await bench.wake(id);
  const again = await bench.send(offer, key);
  expect([again.status, again.body]).toMatchObject([409, { code: 'checkout_not_open' }]);
  const operation = await bench.world.operator.get(`/api/billing/operations/${id.replace('chk_', 'op_')}`);
  expect(operation.body).toMatchObject({ status: 'refused' });
});

test('given up before its page is made: it is not made any more', async () => {
  const { id, externalId, key } = await reserved('provider_b');
  deliver = away;
  expect((await bench.expire(id)).status).toBe(202);
  deliver = works;
  await bench.wake(id);
  expect(await bench.show(id)).toMatchObject({ status: 'expired', url: null });
  const operation = await bench.world.operator.get(`/api/billing/operations/${id.replace('chk_', 'op_')}`);
  expect(operation.body).toMatchObject({ status: 'refused' });
  // The key starts another attempt, which has not been given up.
  const again = await bench.send({ externalId, planSlug: 'pro', provider: 'provider_b' }, key);
  expect([again.status, again.body]).toMatchObject([201, { id, status: 'open', givenUpAt: null }]);
});

test('a checkout that was answered 503 is not made when its command arrives after all; its key makes one', async () => {
  const { externalId } = await bench.customer();
  const key = randomUUID();
  const send = () => bench.send({ externalId, planSlug: 'pro', provider: 'provider_a' }, key);
  const { secretKey = '' } = bench.world.secrets.provider_a;
  const made = () => bench.world.simulators.providers.a.account({ secretKey }).sessions().length;
  const before = made();
  deliver = away;
  expect((await send()).status).toBe(503);
  const late = sent.at(-1);
  if (late === undefined) throw new Error('Nothing was sent.');
  await bench.world.service.direct.send(late);
  const offered = await bench.rows('SELECT id FROM tollgate.checkouts WHERE id = $1', [late.target.id]);
  const opened = await bench.rows(
    'SELECT s.id FROM tollgate.subscriptions s JOIN tollgate.customers c ON c.id = s.customer_id WHERE c.external_id = $1',
    [externalId],
  );
  expect([offered, opened, made()]).toEqual([[], [], before]);
  deliver = works;
  expect(await send()).toMatchObject({ status: 201, body: { id: late.target.id, status: 'open' } });
  expect(made()).toBe(before + 1);
});

async function wake({ id }: ShownCheckout): Promise<void> {
  const now = await bench.world.now();
  const [row] = await bench.rows<{ connection_id: string; provider: PaymentProvider }>(
    'SELECT connection_id, provider FROM tollgate.checkouts WHERE id = $1',
    [id],
  );
  if (row === undefined) throw new Error(`There is no checkout ${id}.`);
  const connection = { scope: bench.scope, id: row.connection_id, provider: row.provider };
  await inWorkspace(database, bench.scope, 'SYSTEM', (trx) =>
    wakeCheckouts(trx, connection, { checkoutId: id }, now),
  );
}
