import { randomUUID } from 'node:crypto';
import { createKeyRing } from '../../src/credentials/key-ring';
import type { Database } from '../../src/db/pools';
import { createDriftReports, type DriftReports } from '../../src/drift/drift-reports';
import { DAY_MS } from '../../src/domain/instant';
import { createTestAdapters } from '../support/adapters';
import { periodEnd } from '../support/provider-row';
import type { WorldSubscription } from '../support/provider-world';
import { useProviderWorld } from '../support/use-provider-world';
import { testSecrets } from '../support/service';
import { DriftingWorld } from './drifting';
import { deliverWebhooks } from '../support/deliver-webhooks';

/** The charge of an unreported renewal of a subscription that was then ended at its provider. */
const world = useProviderWorld();
const drifting = new DriftingWorld(world);
let database: Database;
let reports: DriftReports;
beforeAll(() => {
  const { a, b, c } = world.simulators.urls;
  database = world.service.open('tollgate_worker', 2);
  reports = createDriftReports({
    database,
    clock: world.service.clock,
    keyRing: createKeyRing(testSecrets.credentialKeys),
    providerUrls: { provider_a: a, provider_b: b, provider_c: c },
    providerAdapters: createTestAdapters(),
  });
});

async function paymentsOf({ id }: WorldSubscription): Promise<string[]> {
  const rows = await world.service.database.query<{ amount: string }>(
    'SELECT amount FROM tollgate.payments WHERE subscription_id = $1 ORDER BY received_at',
    [id],
  );
  return rows.map(({ amount }) => amount);
}

const report = () => reports.report(world.scope, world.connections.provider_b, null);

test('is recorded by the next report, though only the end is told of; then it is not read again', async () => {
  const subscription = await world.subscribe('provider_b');
  const end = periodEnd(await world.show(subscription.id));
  drifting.dropWebhooks(true);
  await world.simulators.core.clock.advanceTo(end + 1_000);
  await deliverWebhooks(world.simulators.core.outbox);
  await drifting.behindOurBack(subscription, 'cancel');
  drifting.dropWebhooks(false);
  const deliveries = world.simulators.core.outbox.deliveries.filter(
    ({ event }) => event === 'BILLING.SUBSCRIPTION.CANCELLED',
  );
  expect(deliveries).toHaveLength(1);
  for (const { id } of deliveries) world.simulators.core.outbox.resend(id);
  await deliverWebhooks(world.simulators.core.outbox);
  await world.settle();
  expect(await world.show(subscription.id)).toMatchObject({ status: 'cancelled' });
  expect(await paymentsOf(subscription)).toEqual(['3000']);

  expect(await report()).toMatchObject({ compared: 1, found: 0, unread: 0 });
  expect(await paymentsOf(subscription)).toEqual(['3000', '3000']);
  await world.advanceBy(2 * DAY_MS);
  await report();
  expect(await report()).toMatchObject({ compared: 0 });
});

test('is reached behind as many unpaid checkouts as one part of the report has', async () => {
  const { id } = await world.subscribe('provider_b');
  for (let count = 0; count < 25; count += 1) {
    const externalId = `window-shopper-${count}`;
    await world.seed.customer(externalId);
    const { status } = await world.operator.post('/api/billing/checkouts', {
      body: { externalId, planSlug: 'pro', provider: 'provider_b' },
      headers: { 'Idempotency-Key': randomUUID() },
    });
    expect(status).toBe(201);
  }
  const part = await report();
  expect(part).toMatchObject({ compared: 25, unread: 0 });
  expect((part.after ?? '') > id).toBe(true);
  const next = await reports.report(world.scope, world.connections.provider_b, part.after);
  expect(next.compared).toBeGreaterThan(0);
});
