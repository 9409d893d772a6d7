import { randomUUID } from 'node:crypto';
import { openDatabase, VERIFIER, type Database } from '../../src/db/pools';
import { inWorkspace } from '../../src/db/workspace-transaction';
import { recordDeveloperEvent } from '../../src/events/developer-event-store';
import { createLogger } from '../../src/telemetry/logger';
import { CatalogueSeeder } from '../support/catalogue';
import { Integrator, type Answer } from '../support/integrator';
import { untilLockWaits } from '../support/lock-waits';
import { until } from '../support/until';
import { trackUntilTaken, untilTaken } from '../support/until-taken';
import { createKey } from '../support/workspace';
import { useStarted } from '../support/use-started';
import { bytesOf, eventOf } from '../webhooks/fake-provider';
import { WebhookWorkspace } from '../webhooks/webhook-workspace';
import { Erasing, tablesNaming } from './erasing';

/** Work in progress when a customer is erased, and work that arrives during the erasure. */
const ours = useStarted(() => WebhookWorkspace.start());
let erasing: Erasing;
let api: Integrator;
let holder: Database;
beforeAll(async () => {
  const { service, workspace } = ours;
  erasing = new Erasing(service);
  const scopes = ['read', 'usage', 'customers', 'subscriptions'] as const;
  api = new Integrator(service.urls.sandbox, await createKey(service.database, workspace.sandbox, scopes));
  holder = service.open('tollgate_app', 2);
});
afterEach(() => {
  ours.provider.meanwhile = null;
  ours.provider.unreachable = false;
});

const finish = async (erased: Answer): Promise<void> => {
  expect(erased.status).toBe(202);
  await erasing.finish(ours.workspace.sandbox, String(erased.body['id']));
};
const named = (texts: string[]) => tablesNaming(ours.service.database, texts);
const erase = (externalId: string) => api.send('DELETE', `/v1/customers/${externalId}`);

/** Returns a promise, and a function that fulfills it. */
function gate(): { opened: Promise<void>; open: () => void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}

async function customer(): Promise<{ externalId: string; id: string }> {
  const externalId = `jane-${randomUUID()}`;
  const made = await api.send('PUT', `/v1/customers/${externalId}`, {});
  return { externalId, id: String(made.body['id']) };
}

test('a transaction that has read the name and is not committed is waited for, and what it wrote is blanked', async () => {
  const { externalId, id } = await customer();
  const scope = ours.workspace.sandbox;
  let erased: Answer | undefined;
  await inWorkspace(holder, scope, 'API_KEY', async (trx) => {
    const event = {
      ...({ type: 'USAGE_CHECKED', status: 'OK', message: `${externalId} may.`, source: 'api' } as const),
      data: { customerId: id, externalId },
    } as const;
    await recordDeveloperEvent(trx, scope, event, Date.now());
    erased = await erase(externalId);
    for (let looks = 0; looks < 3; looks += 1) {
      const view = await erasing.steps.next(scope, String(erased.body['id']));
      expect(view).toEqual({ kind: 'more', at: expect.any(Number) as number });
    }
    const shown = await api.send('GET', `/v1/customer-erasures/${String(erased.body['id'])}`);
    expect(shown.body).toMatchObject({ status: 'running', blanked: {} });
  });
  if (erased === undefined) throw new Error('It was not asked for.');
  await finish(erased);
  expect(await named([externalId])).toEqual([]);
});

test('a verification that has begun before it is not waited for', async () => {
  const { externalId } = await customer();
  const scope = ours.workspace.sandbox;
  const log = createLogger('test', 'silent');
  const url = ours.service.database.url('tollgate_app');
  const verifier = openDatabase(url, { max: 1, applicationName: VERIFIER, log });
  await inWorkspace(verifier, scope, 'SYSTEM', async (trx) => {
    await trx.raw('SELECT FROM tollgate.customers');
    await finish(await erase(externalId));
  });
  await verifier.destroy();
});

test('tracks and checks that race an erasure count before it or are refused, and leave no name', async () => {
  const { service, workspace } = ours;
  const seed = new CatalogueSeeder(service.database, workspace.sandbox);
  await seed.feature('raced');
  const { externalId } = await customer();
  const calls = Array.from({ length: 60 }, (_, index) =>
    index % 2 === 0
      ? untilTaken(() => api.track(externalId, 'raced', 1, `${externalId}-${index}`, { source: externalId }))
      : untilTaken(() => api.check(externalId, 'raced')),
  );
  const erased = erase(externalId);
  const more = Array.from({ length: 60 }, () => trackUntilTaken(api, externalId, 'raced'));
  const answers = await Promise.all([...calls, ...more]);
  // Without a subscription a use is denied, and the denial is an event that names the customer.
  const codes = new Set(answers.map(({ status, body }) => `${status} ${String(body['code'])}`));
  for (const code of codes) {
    expect(['200 undefined', '403 no_active_subscription', '404 customer_not_found']).toContain(code);
  }
  await finish(await erased);
  expect(await named([externalId])).toEqual([]);
});

test('a webhook that is verified before the erasure and applied after it is stored without its bytes', async () => {
  const { id, reference, customerId } = await ours.subscribe({
    status: 'cancelled',
    cancelled_at: new Date(),
  });
  const email = `${randomUUID()}@example.test`;
  await api.send('PATCH', `/v1/customers/${await externalIdOf(customerId)}`, { email });
  const event = {
    ...eventOf('subscription.changed', { references: [{ kind: 'subscription', reference }] }),
    receiptEmail: email,
  };
  const { opened, open } = gate();
  ours.provider.meanwhile = () => opened;
  const before = ours.provider.reads.length;
  const delivered = ours.post(event, { bytes: bytesOf(event) });
  await until(() => ours.provider.reads.length > before);
  await finish(await erase(await externalIdOf(customerId)));
  open();
  const { status, body } = await delivered;
  expect(status).toBe(200);
  expect(await named([email])).toEqual([]);
  const [stored] = await ours.rows(
    'webhook_events',
    'body, headers, status, erased_at',
    `id = '${String(body['eventId'])}'`,
  );
  expect(stored).toMatchObject({
    body: Buffer.alloc(0),
    headers: {},
    erased_at: expect.any(Number) as number,
  });

  // Later webhooks are blanked, too: a redelivered one, and a failed one.
  expect((await ours.post(event, { bytes: bytesOf(event) })).body['duplicate']).toBe(true);
  ours.provider.meanwhile = () => Promise.reject(new Error('away'));
  const late = { ...event, dedupeKey: randomUUID() };
  expect((await ours.post(late, { bytes: bytesOf(late) })).status).toBe(500);
  expect(await ours.rows('webhook_events', 'status', `dedupe_key = '${late.dedupeKey}'`)).toEqual([
    { status: 'failed' },
  ]);
  expect(await named([email])).toEqual([]);
  expect(id).toMatch(/^sub_/);
});

test('a webhook whose transaction is open when the customer is renamed is found afterwards', async () => {
  const { id, reference, customerId } = await ours.subscribe({
    status: 'cancelled',
    cancelled_at: new Date(),
  });
  const email = `${randomUUID()}@example.test`;
  const event = {
    ...eventOf('subscription.changed', { references: [{ kind: 'subscription', reference }] }),
    receiptEmail: email,
  };
  const scope = ours.workspace.sandbox;
  let delivered: ReturnType<WebhookWorkspace['post']> | undefined;
  let erased: Answer | undefined;
  await inWorkspace(holder, scope, 'SYSTEM', async (trx) => {
    await trx.raw('SELECT FROM tollgate.subscriptions WHERE id = ? FOR NO KEY UPDATE', [id]);
    delivered = ours.post(event, { bytes: bytesOf(event) });
    await untilLockWaits(ours.service.database);
    erased = await erase(await externalIdOf(customerId));
    expect(await erasing.steps.next(scope, String(erased.body['id']))).toMatchObject({ kind: 'more' });
  });
  if (erased === undefined) throw new Error('It was not asked for.');
  await finish(erased);
  expect((await delivered)?.status).toBe(200);
  expect(await named([email])).toEqual([]);
});

test('of a subscription and an erasure at once, one is refused', async () => {
  const { service, workspace, operator } = ours;
  const seed = new CatalogueSeeder(service.database, workspace.sandbox);
  const { planId } = await seed.plan('raced', []);
  const outcomes = await Promise.all(
    Array.from({ length: 12 }, async () => {
      const { externalId } = await customer();
      const [subscribed, erased] = await Promise.all([
        operator.post('/api/billing/subscriptions', {
          body: { externalId, planId },
          headers: { 'Idempotency-Key': externalId },
        }),
        erase(externalId),
      ]);
      if (erased.status === 202) await finish(erased);
      return [subscribed.status, erased.status].join(' ');
    }),
  );
  for (const outcome of outcomes) expect(['201 409', '404 202', '409 202']).toContain(outcome);
});

test('two erasures at once get the same one', async () => {
  const { externalId, id } = await customer();
  const both = await Promise.all([
    erase(externalId),
    erase(externalId),
    ours.operator.delete(`/api/customers/${id}`),
  ]);
  expect(both.map(({ status }) => status)).toEqual([202, 202, 202]);
  expect(new Set(both.map(({ body }) => body['id'])).size).toBe(1);
  expect(
    await ours.rows('audit_records', 'action', `target = '${id}' AND action = 'customer.erased'`),
  ).toHaveLength(1);
});

async function externalIdOf(customerId: string): Promise<string> {
  const [row] = await ours.rows<{ external_id: string }>('customers', 'external_id', `id = '${customerId}'`);
  return row?.external_id ?? '';
}
