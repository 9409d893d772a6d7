import { randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';
import { systemClock } from '../../src/clock/system-clock';
import { createKeyRing } from '../../src/credentials/key-ring';
import type { TemporalServer } from '../../src/embedded/temporal-server';
import { createLogger } from '../../src/telemetry/logger';
import { createTemporalClient } from '../../src/temporal/client';
import { ensureSearchAttributes } from '../../src/temporal/search-attributes';
import { createCommandSender } from '../../src/temporal/command-sender';
import { made, ProviderCheckoutBench } from '../checkouts/provider-checkout-bench';
import type { ConsoleAnswer } from '../support/operator';
import { textOfHistory } from '../support/history-text';
import { testSecrets } from '../support/service';
import { until } from '../support/until';
import { killWhenAnswered } from './start-dying-worker';
import { startDevServer, startRelay, startWorker, type Running } from './installation';

let temporal: TemporalServer;
let client: Client;
let bench: ProviderCheckoutBench;
let relay: Running;
let worker: Running | undefined;

beforeAll(async () => {
  temporal = await startDevServer();
  client = createTemporalClient({ address: temporal.address, namespace: 'default' });
  await ensureSearchAttributes(client, systemClock, createLogger('test', 'fatal'));
  bench = await ProviderCheckoutBench.start({ commands: () => createCommandSender(client, systemClock) });
  relay = startRelay(bench.world.service.database, temporal.address);
});
afterEach(async () => {
  await worker?.stop();
  worker = undefined;
});
afterAll(async () => {
  await relay.stop();
  await client.connection.close();
  await bench.stop();
  await temporal.stop();
});

function startOurs(): Running {
  const { a, b, c } = bench.world.simulators.urls;
  return startWorker(bench.world.service.database, temporal.address, {
    keyRing: createKeyRing(testSecrets.credentialKeys),
    providerUrls: { provider_a: a, provider_b: b, provider_c: c },
  });
}

/** Waits for the answer: a worker that has just started may take longer than a caller waits. */
async function decided(body: object, key: string): Promise<ConsoleAnswer> {
  for (;;) {
    const answer = await bench.send(body, key);
    if (answer.status !== 202) return answer;
  }
}

test('created, given up, refused and tried again: each by its workflow, whose history contains no personal data', async () => {
  worker = startOurs();
  const { externalId } = await bench.customer();
  const [key, body] = [randomUUID(), { externalId, planSlug: 'pro', provider: 'provider_a' }];
  const checkout = made(await decided(body, key));
  const replay = await bench.send(body, key);
  expect([replay.status, replay.headers.get('idempotency-replayed')]).toEqual([201, 'true']);

  const expired = await bench.expire(checkout.id);
  expect([expired.status, expired.body['status']]).toEqual([200, 'expired']);
  expect(await bench.world.show(checkout.subscriptionId)).toMatchObject({ status: 'expired' });

  const { operator, connections } = bench.world;
  const connection = `/api/provider-connections/${connections.provider_a}`;
  const { planReferences } = (await operator.get(connection)).body['settings'] as { planReferences: object };
  const refer = (pro: string) =>
    operator.patch(connection, { body: { settings: { planReferences: { ...planReferences, pro } } } });
  await refer('price_of_nobody');
  const again = randomUUID();
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const refused = await decided(body, again);
    expect([refused.status, refused.body['code']]).toEqual([409, 'provider_refused']);
  }
  await refer('price_pro');
  const second = made(await decided(body, again));
  expect(second.status).toBe('open');

  for (const id of [checkout.id, second.id]) {
    const handle = client.workflow.getHandle(`checkout/sandbox/${id}`);
    const text = textOfHistory(await handle.fetchHistory());
    expect(text).toContain(id);
    for (const secret of [
      '@example',
      externalId,
      checkout.url,
      second.url,
      'does not have this plan',
      'cs_test',
    ]) {
      expect(text).not.toContain(secret);
    }
  }
  await bench.expire(second.id);
});

test('killed after the provider’s success: another worker continues, and there is one session', async () => {
  const { secretKey = '' } = bench.world.secrets.provider_a;
  const account = bench.world.simulators.providers.a.account({ secretKey });
  const before = account.sessions().length;
  const { externalId } = await bench.customer();
  const [key, body] = [randomUUID(), { externalId, planSlug: 'pro', provider: 'provider_a' }];
  const { answers } = await killWhenAnswered(
    {
      temporal: temporal.address,
      database: bench.world.service.database.url('tollgate_worker'),
      simulators: bench.world.simulators.urls,
    },
    ['provider_a'],
    () => bench.send(body, key),
  );
  worker = startOurs();
  expect([201, 202]).toContain((await answers).status);
  const checkout = made(await decided(body, key));
  expect(account.sessions()).toHaveLength(before + 1);
  await bench.pay('provider_a', checkout);
  await until(async () => (await bench.show(checkout.id)).status === 'complete');
  expect(await bench.world.show(checkout.subscriptionId)).toMatchObject({ status: 'active' });
});
