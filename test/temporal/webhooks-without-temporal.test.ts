import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DAY_MS, HOUR_MS } from '../../src/domain/instant';
import { findFreePort } from '../../src/embedded/free-port';
import type { TemporalServer } from '../../src/embedded/temporal-server';
import { createTemporalClient } from '../../src/temporal/client';
import { subscriptionWorkflowId } from '../../src/temporal/workflow-ids';
import { until } from '../support/until';
import { eventOf } from '../webhooks/fake-provider';
import { WebhookWorkspace } from '../webhooks/webhook-workspace';
import { startDevServer, startRelay, startWorker, type Running } from './installation';

const SUBSCRIPTIONS = 20;
const WEBHOOKS_EACH = 30;
const WEBHOOKS = SUBSCRIPTIONS * WEBHOOKS_EACH;
/** Number of subscriptions whose webhooks arrive concurrently. */
const AT_ONCE = 10;

let ours: WebhookWorkspace;
let directory: string;
let temporal: TemporalServer;
let running: Running[];
let client: ReturnType<typeof createTemporalClient>;
let startServer: () => Promise<TemporalServer>;

beforeAll(async () => {
  const port = await findFreePort();
  const address = `127.0.0.1:${port}`;
  directory = await mkdtemp(path.join(tmpdir(), 'tollgate-test-'));
  startServer = () => startDevServer(port, path.join(directory, 'temporal.db'));
  temporal = await startServer();
  ours = await WebhookWorkspace.start();
  client = createTemporalClient({ address, namespace: 'default' });
  const { database } = ours.service;
  running = [startWorker(database, address), startRelay(database, address)];
});
afterAll(async () => {
  await Promise.all(running.map((one) => one.stop()));
  await client.connection.close();
  await temporal.stop();
  await ours.stop();
  await rm(directory, { recursive: true, force: true });
});

interface Subscribed {
  id: string;
  reference: string;
}

/** Creates subscriptions with nothing due: a workflow reads them only when it is poked. */
async function subscribed(count: number): Promise<Subscribed[]> {
  const anchor = Date.now() - 10 * DAY_MS;
  const all: Subscribed[] = [];
  for (let n = 0; n < count; n += 1) {
    const end = new Date(anchor + 30 * DAY_MS);
    all.push(await ours.subscribe({ anchor, current_period_end: end }));
  }
  return all;
}

/** Moves the period's end at the provider and sends a webhook, repeatedly. @returns the statuses of the answers */
async function tellOf({ reference }: Subscribed, from: number): Promise<number[]> {
  const statuses: number[] = [];
  for (let n = 1; n <= WEBHOOKS_EACH; n += 1) {
    ours.say(reference, { currentPeriodStart: from, currentPeriodEnd: endAfter(from, n) });
    const references = [{ kind: 'subscription' as const, reference }];
    const { status } = await ours.post(eventOf('subscription.changed', { references }));
    statuses.push(status);
  }
  return statuses;
}

function endAfter(from: number, webhooks: number): number {
  return from + 40 * DAY_MS + webhooks * HOUR_MS;
}

/**
 * Returns the subscriptions with a pending poke. A poke that a newer one replaced during delivery is never retried: the
 * queue marks it by using up its attempts.
 */
async function waitingToBePoked(): Promise<string[]> {
  const rows = await ours.service.database.query<{ id: string }>(
    `SELECT DISTINCT payload->>'subscriptionId' AS id FROM graphile_worker._private_jobs
      WHERE attempts < max_attempts`,
  );
  return rows.map(({ id }) => id).sort();
}

/** Reports whether its workflow was poked at or after this instant and has read its row since. */
async function hasLookedSince(id: string, instant: number): Promise<boolean> {
  const handle = client.workflow.getHandle(subscriptionWorkflowId('sandbox', id));
  const { events } = await handle.fetchHistory();
  const poked = events?.findLastIndex((event) => event.workflowExecutionSignaledEventAttributes) ?? -1;
  // These are local activities, which leave a marker in the history.
  const read =
    events?.findLastIndex(
      (event) => event.markerRecordedEventAttributes?.markerName === 'core_local_activity',
    ) ?? -1;
  // Event times are compared in whole seconds.
  const pokedAt = Number(events?.[poked]?.eventTime?.seconds ?? 0);
  return poked !== -1 && read > poked && pokedAt >= Math.floor(instant / 1000);
}

test('600 webhooks that come while Temporal is down are accepted, and each workflow hears of its own', async () => {
  const all = await subscribed(SUBSCRIPTIONS);
  // The relay is working, and loses its server with work pending.
  const [first] = all;
  if (first === undefined) throw new Error('There is no subscription.');
  const from = Date.now() - 5 * DAY_MS;
  ours.say(first.reference, { currentPeriodStart: from, currentPeriodEnd: from + 35 * DAY_MS });
  const references = [{ kind: 'subscription' as const, reference: first.reference }];
  await ours.post(eventOf('subscription.changed', { references }));
  await until(async () => (await waitingToBePoked()).length === 0);
  await temporal.stop();

  const waiting = [...all];
  const statuses: number[] = [];
  const lane = async (): Promise<void> => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      statuses.push(...(await tellOf(next, from)));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  expect(statuses).toEqual(Array.from({ length: WEBHOOKS }, () => 200));
  expect(await ours.rows('webhook_events', 'DISTINCT status, deliveries', 'true')).toEqual([
    { status: 'applied', deliveries: 1 },
  ]);
  expect(await ours.rows('webhook_events', 'id')).toHaveLength(WEBHOOKS + 1);
  expect(await ours.attempts()).toEqual({ connection: 0, platform: 0, rows: 0 });
  // Without Temporal, no poke is given up.
  const ids = all.map(({ id }) => id).sort();
  expect(await waitingToBePoked()).toEqual(ids);

  const back = Date.now();
  temporal = await startServer();
  await until(async () => (await waitingToBePoked()).length === 0);
  // Each workflow reads its row after the last webhook.
  for (const id of ids) await until(() => hasLookedSince(id, back));
  const last = endAfter(from, WEBHOOKS_EACH);
  expect(
    await ours.rows('subscriptions', 'id', `current_period_end <> to_timestamp(${last / 1000})`),
  ).toEqual([]);
});
