import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { announceCall } from '../../src/announcements/announcement-store';
import { together } from '../../src/db/calls';
import type { Database } from '../../src/db/pools';
import { inWorkspace } from '../../src/db/workspace-transaction';
import { createRenderMessage, createRenderMessages } from '../../src/webhook-messages/render-message';
import { untilLockWaits } from '../support/lock-waits';
import { trackUntilTaken } from '../support/until-taken';
import { UsageWorkspace } from '../support/usage-workspace';
import { useStarted } from '../support/use-started';
import { MessageLog } from './message-log';

/**
 * A message exists exactly if its event does, and once. Concurrent processes agree on its sequence number and its text.
 */
const usage = useStarted(() => UsageWorkspace.start());
let messages: MessageLog;
let database: Database;
beforeAll(async () => {
  messages = await MessageLog.by(usage.service, usage.workspace.sandbox);
  database = usage.service.open('tollgate_worker', 8);
});

const scope = () => usage.workspace.sandbox;
const announce = (id: string, after: () => void = () => undefined) =>
  inWorkspace(database, scope(), 'SYSTEM', async (trx) => {
    const fact = { type: 'refund.succeeded', resource: { kind: 'refund', id } } as const;
    await together(trx, [announceCall(scope(), [fact], usage.service.clock.now())]);
    after();
  });
const numbersOf = (id: string) =>
  usage.service.database.query<{ sequence: string }>(
    'SELECT sequence FROM tollgate.webhook_messages WHERE resource_id = $1 ORDER BY sequence',
    [id],
  );

test('an event that is rolled back is not announced, and takes no sequence number', async () => {
  const id = `ref_${randomUUID()}`;
  const fail = (): never => {
    throw new Error('The fact failed.');
  };
  await announce(id);
  await expect(announce(id, fail)).rejects.toThrow('The fact failed.');
  await announce(id);
  expect(await numbersOf(id)).toEqual([{ sequence: '1' }, { sequence: '2' }]);
});

test('facts of one resource at the same moment have numbers of their own, without a gap', async () => {
  const id = `ref_${randomUUID()}`;
  await Promise.all(Array.from({ length: 24 }, () => announce(id)));
  const numbers = (await numbersOf(id)).map(({ sequence }) => Number(sequence));
  expect(numbers).toEqual(Array.from({ length: 24 }, (_, index) => index + 1));
});

test('an endpoint that is deleted meanwhile refuses no fact', async () => {
  const { workspaceId, environment } = scope();
  const endpointId = `we_${randomUUID()}`;
  await usage.service.database.query(
    `INSERT INTO tollgate.webhook_endpoints (workspace_id, environment, id, url, secret_envelope, created_at, updated_at)
     VALUES ($1, $2, $3, 'https://gone.example', '{"keyId":"k","revision":1,"sealed":""}', now(), now())`,
    [workspaceId, environment, endpointId],
  );
  const other = new Client({ connectionString: usage.service.database.adminUrl });
  await other.connect();
  await other.query('BEGIN');
  await other.query('DELETE FROM tollgate.webhook_endpoints WHERE id = $1', [endpointId]);
  const id = `ref_${randomUUID()}`;
  const fact = announce(id);
  await untilLockWaits(usage.service.database);
  await other.query('COMMIT');
  await other.end();
  await fact;
  expect(await numbersOf(id)).toEqual([{ sequence: '1' }]);
});

test('tracks of one customer at the same moment tell of each threshold once', async () => {
  const { externalId, customerId } = await usage.customer({ feature: 'api_calls', quota: 40 });
  await Promise.all(Array.from({ length: 40 }, () => trackUntilTaken(messages.api, externalId, 'api_calls')));
  const about = (await messages.all()).filter(({ resource }) => resource.id === customerId);
  expect(about.map(({ type, sequence }) => [type, sequence])).toEqual([
    ['usage.threshold_reached', 1],
    ['usage.threshold_reached', 2],
  ]);
});

test('all attempts send what was rendered first, even once the resource has changed, or is gone', async () => {
  const { externalId, customerId } = await usage.customer({ feature: 'api_calls', quota: 10 });
  await messages.api.track(externalId, 'api_calls', 8);
  const [row] = await usage.service.database.query<{ id: string; eventId: string }>(
    'SELECT id, event_id AS "eventId" FROM tollgate.webhook_messages WHERE resource_id = $1',
    [customerId],
  );
  const { id = '', eventId } = row ?? {};
  const render = createRenderMessage({ database, clock: usage.service.clock });
  const texts = await Promise.all(Array.from({ length: 6 }, () => render(scope(), id)));
  expect(new Set(texts).size).toBe(1);
  expect(JSON.parse(texts[0] ?? '')).toMatchObject({ id, data: { id: eventId, data: { percent: 80 } } });
  await usage.service.database.query('DELETE FROM tollgate.developer_events WHERE id = $1', [eventId]);
  expect(await render(scope(), id)).toBe(texts[0]);
  const missing = `ref_${randomUUID()}`;
  await announce(missing);
  const [last] = await messages.all().then((all) => all.filter(({ resource }) => resource.id === missing));
  expect(last).toMatchObject({ type: 'refund.succeeded', data: null });
});

test('a message that expires while it is read is left out of a list, and is not found', async () => {
  const { database: rows } = usage.service;
  const [id, kept] = [`ref_${randomUUID()}`, `ref_${randomUUID()}`];
  const paths = [
    '/v1/webhook-messages?type=refund.succeeded',
    (message: string) => `/v1/webhook-messages/${message}`,
  ];
  for (const path of paths) {
    await announce(id);
    await announce(kept);
    const [message] = await rows.query<{ id: string }>(
      'SELECT id FROM tollgate.webhook_messages WHERE resource_id = $1',
      [id],
    );
    const deleting = new Client({ connectionString: rows.adminUrl });
    await deleting.connect();
    await deleting.query('BEGIN');
    await deleting.query('DELETE FROM tollgate.webhook_messages WHERE resource_id = $1', [id]);
    const reading = messages.api.send('GET', typeof path === 'string' ? path : path(message?.id ?? ''));
    await untilLockWaits(rows);
    await deleting.query('COMMIT');
    await deleting.end();
    const { status, body } = await reading;
    if (typeof path === 'string') {
      expect(status).toBe(200);
      expect(JSON.stringify(body)).toContain(kept);
      expect(JSON.stringify(body)).not.toContain(id);
    } else expect([status, body['code']]).toEqual([404, 'webhook_message_not_found']);
  }
});

test('messages rendered together are those rendered one by one, and one that somebody has hold of is left to its own attempt', async () => {
  const { database: rows, clock } = usage.service;
  const ids = [1, 2, 3, 4].map(() => `ref_${randomUUID()}`);
  for (const id of ids) await announce(id);
  const found = await rows.query<{ id: string }>(
    'SELECT id FROM tollgate.webhook_messages WHERE resource_id = ANY ($1) ORDER BY id',
    [ids],
  );
  const [first = '', held = '', ...others] = found.map(({ id }) => id);
  const alone = await createRenderMessage({ database, clock })(scope(), first);
  const holder = new Client({ connectionString: rows.adminUrl });
  await holder.connect();
  await holder.query('BEGIN');
  await holder.query('SELECT FROM tollgate.webhook_messages WHERE id = $1 FOR UPDATE', [held]);
  const together = await createRenderMessages({ database, clock })(scope(), [
    ...[first, held, ...others],
    'msg_unknown',
  ]);
  await holder.query('ROLLBACK');
  await holder.end();
  expect([...together.keys()].sort()).toEqual([first, ...others].sort());
  expect(together.get(first)).toBe(alone);
  for (const id of others) {
    expect(JSON.parse(together.get(id) ?? '')).toMatchObject({ id, type: 'refund.succeeded', data: null });
    expect(await createRenderMessage({ database, clock })(scope(), id)).toBe(together.get(id));
  }
});
