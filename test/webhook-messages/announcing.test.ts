import { randomUUID } from 'node:crypto';
import { announceCall } from '../../src/announcements/announcement-store';
import { together } from '../../src/db/calls';
import { openDatabase, type Database } from '../../src/db/pools';
import { inWorkspace } from '../../src/db/workspace-transaction';
import { createRenderMessage } from '../../src/webhook-messages/render-message';
import { createLogger } from '../../src/telemetry/logger';
import { UsageWorkspace } from '../support/usage-workspace';
import { Told } from './told';

/** A message is there exactly when its fact is, once; its numbers and its text are one, whoever races. */
let usage: UsageWorkspace;
let told: Told;
let database: Database;
beforeAll(async () => {
  usage = await UsageWorkspace.start();
  told = await Told.by(usage.service, usage.workspace.sandbox);
  const log = createLogger('test', 'silent');
  database = openDatabase(usage.service.database.url('tollgate_worker'), {
    max: 8,
    applicationName: 'x',
    log,
  });
});
afterAll(async () => {
  await database.destroy();
  await usage.stop();
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

test('what is rolled back is told to no one, and takes no number', async () => {
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

test('tracks of one customer at the same moment tell of each threshold once', async () => {
  const { externalId, customerId } = await usage.customer({ feature: 'api_calls', quota: 40 });
  await Promise.all(Array.from({ length: 40 }, () => told.api.track(externalId, 'api_calls', 1)));
  const about = (await told.all()).filter(({ resource }) => resource.id === customerId);
  expect(about.map(({ type, sequence }) => [type, sequence])).toEqual([
    ['usage.threshold_reached', 1],
    ['usage.threshold_reached', 2],
  ]);
});

test('whoever renders first is whom all others quote, also once the resource has changed, or is gone', async () => {
  const { externalId, customerId } = await usage.customer({ feature: 'api_calls', quota: 10 });
  await told.api.track(externalId, 'api_calls', 8);
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
  const gone = `ref_${randomUUID()}`;
  await announce(gone);
  const [last] = await told.all().then((all) => all.filter(({ resource }) => resource.id === gone));
  expect(last).toMatchObject({ type: 'refund.succeeded', data: null });
});
