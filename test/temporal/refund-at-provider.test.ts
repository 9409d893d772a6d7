import { randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';
import { poke } from '../../workflows/messages';
import { systemClock } from '../../src/clock/system-clock';
import { createKeyRing } from '../../src/credentials/key-ring';
import { openDatabase, type Database } from '../../src/db/pools';
import type { TemporalServer } from '../../src/embedded/temporal-server';
import { createWorkerActivities } from '../../src/service/worker-activities';
import { createLogger } from '../../src/telemetry/logger';
import { createTemporalClient } from '../../src/temporal/client';
import { ensureSearchAttributes } from '../../src/temporal/search-attributes';
import { createCommandSender } from '../../src/temporal/command-sender';
import { PAYMENT_PROVIDERS, ProviderPayments, type CollectedPayment } from '../payments/provider-payments';
import { createTestAdapters } from '../support/adapters';
import { testSecrets } from '../support/service';
import { until } from '../support/until';
import { killWhenAnswered } from './start-dying-worker';
import { startDevServer, startWorkerWith, type Running } from './installation';

/** An adapter's time-out here, and a delay that exceeds it. */
const [TIMEOUT_MS, SLOW_MS] = [2_000, 4_000];

/** Refunds whose worker dies or whose provider is too slow: each must exist once at the simulator and once here. */
let temporal: TemporalServer;
let client: Client;
let world: ProviderPayments;
let databaseUrl: string;
let database: Database;
let worker: Running | undefined;
/** How far a worker's clock is ahead, so that a call's outcome counts as final without waiting (milliseconds). */
let ahead = 0;

beforeAll(async () => {
  temporal = await startDevServer();
  client = createTemporalClient({ address: temporal.address, namespace: 'default' });
  const log = createLogger('test', 'fatal');
  await ensureSearchAttributes(client, systemClock, log);
  world = await ProviderPayments.start(() => createCommandSender(client, systemClock));
  databaseUrl = world.service.database.url('tollgate_worker');
  database = openDatabase(databaseUrl, { max: 5, applicationName: 'test', log });
});
afterEach(async () => {
  await worker?.stop();
  [worker, ahead] = [undefined, 0];
  world.simulators.core.faults.clear();
});
afterAll(async () => {
  await database.destroy();
  await client.connection.close();
  await world.stop();
  await temporal.stop();
});

function startWorker(): Running {
  const { a, b, c } = world.simulators.urls;
  const clock = { now: () => Date.now() + ahead };
  return startWorkerWith(temporal.address, (its) =>
    createWorkerActivities({
      database,
      client: its,
      clock,
      providerAdapters: createTestAdapters(clock.now, { timeoutMs: TIMEOUT_MS }),
      keyRing: createKeyRing(testSecrets.credentialKeys),
      providerUrls: { provider_a: a, provider_b: b, provider_c: c },
      urls: world.service.urls,
    }),
  );
}

function refund({ paymentId }: CollectedPayment, key: string) {
  const body = { paymentId };
  return world.operator.post('/api/billing/refunds', { body, headers: { 'Idempotency-Key': key } });
}

/** Holds back webhooks, so that a refund's outcome is known only by asking the provider; delivers them at the end. */
async function withoutWebhooks(work: () => Promise<void>): Promise<void> {
  const { outbox } = world.simulators.core;
  const before = new Set(outbox.deliveries.map(({ id }) => id));
  outbox.switches.drop = true;
  try {
    await work();
  } finally {
    outbox.switches.drop = false;
  }
  for (const { id } of outbox.deliveries) if (!before.has(id)) outbox.resend(id);
  await world.arrive();
}

/** Advances the time so that provider C decides, and wakes the workflow, as its timer would. */
async function wake(refundId: string): Promise<void> {
  await world.pass(60_000);
  await client.workflow.getHandle(`refund/sandbox/${refundId}`).signal(poke);
}

async function ends({ paymentId }: CollectedPayment): Promise<void> {
  await until(async () => {
    const [refund] = await world.refunds(paymentId);
    if (refund?.status === 'pending') await wake(refund.id);
    return refund?.status === 'succeeded';
  });
}

async function isOne(payment: CollectedPayment): Promise<void> {
  const there = await world.calls[payment.provider].refunds(payment.reference);
  expect(there.map(({ amount }) => amount)).toEqual([2900]);
  expect(await world.refunds(payment.paymentId)).toMatchObject([
    { amount: '2900', status: 'succeeded', reference: there[0]?.id },
  ]);
}

test('a worker that is killed after the providers’ success leaves one refund: A, B and C', async () => {
  const payments: CollectedPayment[] = [];
  for (const [provider] of PAYMENT_PROVIDERS) payments.push(await world.collect(provider));
  const keys = payments.map(() => randomUUID());
  const send = () => Promise.all(payments.map((payment, n) => refund(payment, keys[n] ?? '')));
  await withoutWebhooks(async () => {
    const { answers } = await killWhenAnswered(
      { temporal: temporal.address, database: databaseUrl, simulators: world.simulators.urls },
      payments.map(({ provider }) => provider),
      send,
    );
    for (const { paymentId } of payments) {
      expect(await world.refunds(paymentId)).toMatchObject([{ status: 'pending', reference: null }]);
    }
    ahead = 480_000;
    worker = startWorker();
    for (const { status } of await answers) expect([201, 202]).toContain(status);
    for (const payment of payments) await ends(payment);
    const again = (await send()).map(({ status, body }) => [status, body['status']]);
    expect(again).toEqual(payments.map(() => [201, 'succeeded']));
  });
  for (const payment of payments) await isOne(payment);
});

test('a provider that answers too late is asked again, and the refund is one: A, B and C', async () => {
  worker = startWorker();
  const payments: CollectedPayment[] = [];
  for (const [provider] of PAYMENT_PROVIDERS) payments.push(await world.collect(provider));
  await withoutWebhooks(async () => {
    for (const [index, name] of (['a', 'b', 'c'] as const).entries()) {
      const payment = payments[index];
      if (payment === undefined) throw new Error('There is no payment.');
      const path = world.calls[payment.provider].refundPath(payment.reference);
      world.simulators.core.faults.set({ provider: name, path, fault: 'slow', times: 1, delayMs: SLOW_MS });
    }
    const answers = await Promise.all(payments.map((payment) => refund(payment, randomUUID())));
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202]);
    for (const payment of payments) {
      await until(async () => {
        const [row] = await world.rows<{ failure: string }>(
          'SELECT failure FROM tollgate.refunds WHERE payment_id = $1',
          [payment.paymentId],
        );
        return /has not confirmed/.test(row?.failure ?? '');
      });
    }
    // The requests were sent before they were given up. By then they have been carried out, or never will be.
    const givenUpAt = Date.now();
    await until(() => Date.now() > givenUpAt + SLOW_MS);
    ahead = 480_000;
    for (const { paymentId } of payments) {
      const [pending] = await world.refunds(paymentId);
      expect(pending).toMatchObject({ status: 'pending', reference: null });
      await wake(pending?.id ?? '');
    }
    for (const payment of payments) await ends(payment);
  });
  for (const payment of payments) await isOne(payment);
});
