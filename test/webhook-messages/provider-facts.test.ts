import { createDriftReports } from '../../src/drift/drift-reports';
import { createKeyRing } from '../../src/credentials/key-ring';
import type { Database } from '../../src/db/pools';
import { DAY_MS, HOUR_MS } from '../../src/domain/instant';
import { DriftingWorld, LARGE } from '../subscriptions/drifting';
import { createTestAdapters } from '../support/adapters';
import { ProviderARow } from '../support/provider-a-row';
import { useProviderWorld } from '../support/use-provider-world';
import { testSecrets } from '../support/service';
import { expectExamples } from './examples';
import { MessageLog } from './message-log';

/** Each event at a payment provider is reported once, by whatever path and however often it is learned. */
const world = useProviderWorld();
const drifting = new DriftingWorld(world);
const row = new ProviderARow(world);
let messages: MessageLog;
let database: Database;
beforeAll(async () => {
  messages = await MessageLog.by(world.service, world.scope);
  database = world.service.open('tollgate_worker', 3);
});
beforeEach(() => {
  drifting.dropWebhooks(false);
});

const sorted = (types: readonly string[]): string[] => [...types].sort();

test('a checkout at each provider, whose webhooks come twice: each event once', async () => {
  const { switches } = world.simulators.core.outbox;
  switches.duplicate = true;
  for (const provider of ['provider_a', 'provider_b', 'provider_c'] as const) {
    const { id } = await world.subscribe(provider);
    const news = await messages.news();
    expect([provider, sorted(news.map(({ type }) => type))]).toEqual([
      provider,
      ['checkout.completed', 'operation.concluded', 'payment.succeeded', 'subscription.created'],
    ]);
    expect(news.find(({ type }) => type === 'subscription.created')?.resource.id).toBe(id);
  }
  switches.duplicate = false;
});

test('a renewal that cannot be collected, and what follows', async () => {
  const sub = await world.subscribe('provider_a');
  await row.setCard(sub, 'declines');
  await messages.news();
  await world.advanceTo(Date.parse((await world.show(sub.id)).currentPeriodEnd) + 2 * HOUR_MS);
  const types = await messages.typesOf();
  expect(types).toContain('payment.failed');
  expect(types.filter((type) => type === 'subscription.past_due')).toEqual(['subscription.past_due']);
  await row.setCard(sub, 'pays');
  await world.command(sub.id, 'cancel');
  expect(await messages.typesOf(sub.id)).toHaveLength(1);
});

test('an approval that is needed, given, and run out', async () => {
  const sub = await world.subscribe('provider_b');
  await messages.news();
  const { body } = await world.change(sub.id, { plan: 'large' });
  expect(await messages.typesOf()).toEqual(['approval.needed', 'operation.concluded']);
  await world.pay('provider_b', String(body['approvalUrl']));
  await world.settle();
  expect(await messages.typesOf()).toEqual(['approval.given']);
  const other = await world.subscribe('provider_b');
  await world.change(other.id, { plan: 'large' });
  await messages.news();
  const { pendingApproval } = await world.show(other.id);
  await world.advanceTo(Date.parse(pendingApproval?.expiresAt ?? '') + 60_000);
  expect(await messages.typesOf(other.id)).toContain('approval.expired');
});

test('drift: reported when it is found, not again while it is the same, and again when it changes', async () => {
  const { service } = world;
  const { a, b, c } = world.simulators.urls;
  const reports = createDriftReports({
    database,
    keyRing: createKeyRing(testSecrets.credentialKeys),
    providerUrls: { provider_a: a, provider_b: b, provider_c: c },
    providerAdapters: createTestAdapters(),
    clock: service.clock,
  });
  const report = () => reports.report(world.scope, world.connections.provider_a, null);
  const sub = await world.subscribe('provider_a', { seats: 2 });
  await messages.news();
  await report();
  await messages.news();
  await drifting.behindOurBack(sub, LARGE.provider_a);
  await report();
  await report();
  const found = (await messages.news()).filter(({ resource }) => resource.id === sub.id);
  expect(found).toMatchObject([
    {
      type: 'drift.found',
      data: { data: { change: 'drift_found', differences: expect.any(Array) as unknown } },
    },
  ]);
  await drifting.behindOurBack(sub, 'cancel');
  await report();
  expect(await messages.typesOf(sub.id)).toEqual(['drift.found']);
  await world.advanceBy(DAY_MS);
  await messages.expectGapless();
});

test('the examples of the documents are what is sent', () => {
  expectExamples(
    ['approval.needed', 'approval.given', 'approval.expired', 'drift.found', 'payment.failed'],
    messages.examples,
  );
});
