import { randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';
import { systemClock } from '../../src/clock/system-clock';
import { createKeyRing } from '../../src/credentials/key-ring';
import type { TemporalServer } from '../../src/embedded/temporal-server';
import { DAY_MS } from '../../src/domain/instant';
import { createLogger } from '../../src/telemetry/logger';
import { createTemporalClient } from '../../src/temporal/client';
import { ensureSearchAttributes } from '../../src/temporal/search-attributes';
import type { CommandSender } from '../../src/operations/command-sender';
import { createCommandSender } from '../../src/temporal/command-sender';
import type { ConsoleAnswer } from '../support/operator';
import { deliverWebhooks } from '../support/deliver-webhooks';
import { collectedFor } from '../support/provider-a-row';
import { ProviderRow } from '../support/provider-row';
import { ProviderWorld, type WorldSubscription } from '../support/provider-world';
import { testSecrets } from '../support/service';
import { until } from '../support/until';
import { killWhenAnswered } from './start-dying-worker';
import { startDevServer, startRelay, startWorker, type Running } from './installation';
import type { PaymentProvider } from '../../src/domain/provider';

/** A command at one provider. Its worker is killed when all three have answered and nothing is recorded. */
interface Command {
  subscription: WorldSubscription;
  send: () => Promise<ConsoleAnswer>;
  /** The terms before the command, and after the provider carried it out. */
  terms: unknown[][];
}

let temporal: TemporalServer;
let client: Client;
let world: ProviderWorld;
let row: ProviderRow;
let worker: Running | undefined;
let commands: Record<PaymentProvider, Command>;

beforeAll(async () => {
  temporal = await startDevServer();
  client = createTemporalClient({ address: temporal.address, namespace: 'default' });
  await ensureSearchAttributes(client, systemClock, createLogger('test', 'fatal'));
  const workflows = createCommandSender(client, systemClock);
  let isDirect = true;
  const delivered = (direct: CommandSender): CommandSender => ({
    send: (command) => (isDirect ? direct : workflows).send(command),
  });
  world = await ProviderWorld.start({ commands: delivered, follows: true });
  row = new ProviderRow(world);
  commands = {
    provider_a: await prepared('provider_a', (id, key) => world.change(id, { plan: 'large' }, key)),
    provider_b: await prepared('provider_b', (id, key) => world.change(id, { plan: 'large' }, key)),
    provider_c: await prepared('provider_c', (id, key) => world.command(id, 'cancel', {}, key)),
  };
  isDirect = false;
  const { answers } = await killWhenAnswered(
    {
      temporal: temporal.address,
      database: world.service.database.url('tollgate_worker'),
      simulators: world.simulators.urls,
    },
    Object.keys(commands),
    () => Promise.all(Object.values(commands).map(({ send }) => send())),
  );
  for (const { status } of await answers) expect(status).toBe(202);
  await deliverWebhooks(world.simulators.core.outbox);
  for (const { subscription, terms } of Object.values(commands)) terms.push(await row.terms(subscription));
  const { a, b, c } = world.simulators.urls;
  worker = startWorker(world.service.database, temporal.address, {
    keyRing: createKeyRing(testSecrets.credentialKeys),
    providerUrls: { provider_a: a, provider_b: b, provider_c: c },
  });
});
afterAll(async () => {
  await worker?.stop();
  await client.connection.close();
  await temporal.stop();
  await world.stop();
});

async function prepared(
  provider: PaymentProvider,
  send: (id: string, key: string) => Promise<ConsoleAnswer>,
): Promise<Command> {
  const subscription = await world.subscribe(provider);
  const key = randomUUID();
  return { subscription, send: () => send(subscription.id, key), terms: [await row.terms(subscription)] };
}

/** Returns the answer to the same key once a worker has continued; a loaded Temporal may take longer than a request. */
async function answerOf({ send }: Pick<Command, 'send'>): Promise<Record<string, unknown>> {
  let answer: ConsoleAnswer | undefined;
  await until(async () => {
    answer = await send();
    return answer.status !== 202;
  });
  expect(answer?.status).toBe(200);
  return answer?.body ?? {};
}

test('A: the upgrade is charged once, counts once it is written down, and its key gets the answer', async () => {
  const { subscription, terms } = commands.provider_a;
  expect(terms[1]).toEqual(terms[0]);
  expect(await answerOf(commands.provider_a)).toMatchObject({ effective: 'immediate' });
  await deliverWebhooks(world.simulators.core.outbox);
  expect(await world.show(subscription.id)).toMatchObject({ plan: { slug: 'large' }, seats: 1 });
  expect(await row.access(subscription)).toBe(10_000);
  expect(await row.kinds(subscription)).toEqual(['upgraded']);
  expect(row.happened(subscription, 'customer.subscription.updated')).toBe(1);
  expect(row.happened(subscription, 'invoice.paid')).toBe(2);
  expect(await world.atProvider(subscription)).toMatchObject({ planReference: 'price_large', quantity: 1 });
});

test('B: the change waits for its customer once, gives nothing before, and its key gets the link', async () => {
  const { subscription, terms } = commands.provider_b;
  expect(terms[1]).toEqual(terms[0]);
  const { approvalUrl, ...answer } = await answerOf(commands.provider_b);
  expect(answer).toMatchObject({ requiresCustomerAction: true });
  expect(await world.show(subscription.id)).toMatchObject({
    plan: { slug: 'pro' },
    pendingApproval: { approvalUrl },
  });
  expect(row.happened(subscription, 'BILLING.SUBSCRIPTION.UPDATED')).toBe(1);
  await world.pay('provider_b', String(approvalUrl));
  await deliverWebhooks(world.simulators.core.outbox);
  expect(row.happened(subscription, 'BILLING.SUBSCRIPTION.UPDATED')).toBe(2);
  expect(await row.kinds(subscription)).toEqual(['change_requested', 'change_confirmed']);
  expect(await row.access(subscription)).toBe(1_000);
});

test('C: it stops renewing once, and its key gets the answer', async () => {
  const { subscription, terms } = commands.provider_c;
  const [[status, plan, seats] = [], [...later] = []] = terms;
  expect(later.slice(0, 3)).toEqual([status, plan, seats]);
  expect(await answerOf(commands.provider_c)).toMatchObject({ subscription: { cancelAtPeriodEnd: true } });
  await deliverWebhooks(world.simulators.core.outbox);
  expect(await world.show(subscription.id)).toMatchObject({ status: 'active', cancelAtPeriodEnd: true });
  expect(row.happened(subscription, 'subscription.not_renew')).toBe(1);
  expect(await row.kinds(subscription)).toEqual(['cancel_scheduled']);
  expect(await world.atProvider(subscription)).toMatchObject({ cancelAtPeriodEnd: true });
});

test('C: a command that a restored database has not begun is carried out, although Temporal has it as pending', async () => {
  const { id } = commands.provider_c.subscription;
  const { database } = world.service;
  row.break('provider_c', '/subscription', 'answer_500');
  const pending = await world.command(id, 'reactivate');
  expect(pending.status).toBe(202);
  await until(async () => {
    const [{ tries } = { tries: null }] = await database.query<{ tries: number | null }>(
      `SELECT (provider_work -> 'unsettled' ->> 'tries')::int AS tries FROM tollgate.subscriptions WHERE id = $1`,
      [id],
    );
    return tries === 1;
  });
  row.hearAgain();
  await database.query(
    `UPDATE tollgate.subscriptions SET version = version + 1, provider_work = provider_work || '{"unsettled": null}'
      WHERE id = $1`,
    [id],
  );
  const relay = startRelay(database, temporal.address);
  try {
    await until(async () => (await row.operation(pending))['status'] === 'succeeded');
  } finally {
    await relay.stop();
  }
  expect(await world.show(id)).toMatchObject({ status: 'active', cancelAtPeriodEnd: false });
});

test('A: a downgrade comes with the renewal that a year’s leap of the clock passes', async () => {
  const { subscription } = commands.provider_a;
  await answerOf({ send: () => world.change(subscription.id, { plan: 'starter' }, 'downgrade') });
  const relay = startRelay(world.service.database, temporal.address);
  try {
    const to = new Date((await world.now()) + 366 * DAY_MS).toISOString();
    const answer = await world.operator.post('/api/sandbox/clock', { body: { to } });
    expect(answer).toMatchObject({ status: 200, body: { untold: [] } });
    await until(async () => {
      await deliverWebhooks(world.simulators.core.outbox);
      return Date.parse((await world.show(subscription.id)).currentPeriodEnd) > Date.parse(to);
    });
  } finally {
    await relay.stop();
  }
  expect(await world.show(subscription.id)).toMatchObject({
    plan: { slug: 'starter' },
    scheduledChange: null,
  });
  const kinds = await row.kinds(subscription);
  expect(kinds).toContain('renewal_prepared');
  expect(kinds).not.toContain('scheduled_change_missed');
  const renewals = collectedFor(world, subscription).filter((paid) => paid.startsWith('subscription_cycle'));
  expect(renewals.length).toBeGreaterThan(10);
  expect(new Set(renewals)).toEqual(new Set(['subscription_cycle 1000']));
});
