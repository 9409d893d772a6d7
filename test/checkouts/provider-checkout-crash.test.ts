import { randomUUID } from 'node:crypto';
import { createProviderCheckouts, type ProviderCheckouts } from '../../src/checkouts/provider-checkouts';
import { wakeCheckouts } from '../../src/checkouts/wake-checkout-store';
import { openDatabase, type Database } from '../../src/db/pools';
import { inWorkspace } from '../../src/db/workspace-transaction';
import type { ProviderAdapter } from '../../src/providers/provider-adapter';
import { createLogger } from '../../src/telemetry/logger';
import type { WorldProvider } from '../support/provider-world';
import { ProviderCheckoutBench, type ShownCheckout } from './provider-checkout-bench';

let bench: ProviderCheckoutBench;
let database: Database;
beforeAll(async () => {
  bench = await ProviderCheckoutBench.start();
  const log = createLogger('test', 'silent');
  const url = bench.world.service.database.url('tollgate_worker');
  database = openDatabase(url, { max: 4, applicationName: 'test', log });
});
afterAll(async () => {
  await database.destroy();
  await bench.stop();
});
jest.setTimeout(120_000);

const PROVIDERS: [WorldProvider][] = [['provider_a'], ['provider_b'], ['provider_c']];
const MINUTE_MS = 60_000;

/** Steps of a worker that dies after the provider has done what it was asked for, before that is written down. */
async function dying(provider: WorldProvider): Promise<ProviderCheckouts> {
  const { adapter, access, close } = await bench.world.open(provider);
  await close();
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
  return createProviderCheckouts({ database, clock: bench.world.service.clock, connected });
}

/** An accepted checkout whose provider has not answered. */
async function reserved(provider: WorldProvider): Promise<{ id: string; externalId: string; key: string }> {
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
  await expect(worker.settle(bench.scope, checkout.id, { givenUp: false })).rejects.toThrow('killed');
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
  await bench.world.simulators.core.outbox.flush();
  await wake(checkout);
  const { adapter, access, close } = await bench.world.open('provider_b');
  await close();
  const connected = { open: () => Promise.resolve({ adapter, access }) };
  const worker = createProviderCheckouts({ database, clock: bench.world.service.clock, connected });
  await Promise.all(
    Array.from({ length: 4 }, () => worker.settle(bench.scope, checkout.id, { givenUp: false })),
  );
  expect(await bench.show(checkout.id)).toMatchObject({ status: 'complete' });
  const rows = await bench.rows(
    'SELECT p.id FROM tollgate.payments p JOIN tollgate.checkouts k USING (customer_id) WHERE k.id = $1',
    [checkout.id],
  );
  expect(rows).toHaveLength(1);
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

async function wake({ id }: ShownCheckout): Promise<void> {
  const now = await bench.world.now();
  const [row] = await bench.rows<{ connection_id: string; provider: WorldProvider }>(
    'SELECT connection_id, provider FROM tollgate.checkouts WHERE id = $1',
    [id],
  );
  if (row === undefined) throw new Error(`There is no checkout ${id}.`);
  const connection = { scope: bench.scope, id: row.connection_id, provider: row.provider };
  await inWorkspace(database, bench.scope, 'SYSTEM', (trx) =>
    wakeCheckouts(trx, connection, { checkoutId: id }, now),
  );
}
