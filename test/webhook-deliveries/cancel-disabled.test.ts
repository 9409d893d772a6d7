import { inWorkspace } from '../../src/db/workspace-transaction';
import { createLogger } from '../../src/telemetry/logger';
import { createCanceller } from '../../src/webhook-deliveries/cancel-disabled';
import { findDueEndpoints, type FoundEndpoint } from '../../src/webhook-deliveries/due-store';
import { cancelPending } from '../../src/webhook-endpoints/delivery-store';
import { tuplesRead } from '../support/tuples-read';
import { announce, deliveryOf, startEndpointRig } from './rig';
import { useStarted } from '../support/use-started';

/** Cancellation of deliveries whose endpoints were found disabled, and may have changed since. */
const rig = useStarted(startEndpointRig);

const PATH = '/api/webhook-endpoints';

const endpoint = () => rig.endpoint('http://127.0.0.1:9999/hook');
const enable = (id: string, enabled: boolean) => rig.client.patch(`${PATH}/${id}`, { body: { enabled } });

async function foundDisabled(): Promise<FoundEndpoint[]> {
  const page = { at: rig.service.clock.now(), after: '', limit: 500 };
  const { endpoints } = await findDueEndpoints(rig.database, page);
  return endpoints.filter(({ isDisabled }) => isDisabled);
}

async function cancel(found: readonly FoundEndpoint[]): Promise<void> {
  const log = createLogger('test', 'silent');
  const canceller = createCanceller({ database: rig.database, clock: rig.service.clock, log });
  canceller.begin(found);
  await canceller.idle();
}

test('of an endpoint that was enabled after it was found, nothing is cancelled: neither what is new nor what is sent again', async () => {
  const [enabledAgain, disabled] = [await endpoint(), await endpoint()];
  const before = await announce(rig.service.database, rig.scope);
  await enable(enabledAgain, false);
  await enable(disabled, false);
  const found = await foundDisabled();
  expect(found.map(({ endpointId }) => endpointId).sort()).toEqual([enabledAgain, disabled].sort());

  await enable(enabledAgain, true);
  const after = await announce(rig.service.database, rig.scope);
  await cancel(found);
  for (const message of [before, after]) {
    expect(await deliveryOf(rig.service.database, enabledAgain, message)).toMatchObject({
      status: 'pending',
    });
  }
  expect(await deliveryOf(rig.service.database, disabled, before)).toMatchObject({ status: 'cancelled' });
});

test('a batch reads each of its deliveries a few times, even of a table without statistics', async () => {
  const [id, rows, now] = [await endpoint(), 500, rig.service.clock.now()];
  const { workspaceId, environment } = rig.scope;
  await rig.service.database.query(
    'ALTER TABLE tollgate.webhook_deliveries SET (autovacuum_enabled = false)',
  );
  await rig.service.database.query(
    `WITH messages AS (
       INSERT INTO tollgate.webhook_messages
         (workspace_id, environment, id, type, resource_kind, resource_id, sequence, happened_at, created_at)
       SELECT $1, $2, 'whm_many_' || number, 'subscription.updated', 'subscription', 'sub_many', number, $4, $4
         FROM generate_series(1, ${rows}) AS number
       RETURNING id)
     INSERT INTO tollgate.webhook_deliveries
       (workspace_id, environment, endpoint_id, message_id, next_attempt_at, created_at)
     SELECT $1, $2, $3, id, $4, $4 FROM messages`,
    [workspaceId, environment, id, new Date(now)],
  );
  const [cancelled, read] = await inWorkspace(rig.database, rig.scope, 'SYSTEM', async (trx) => {
    const count = await cancelPending(trx, rig.scope, id, { limit: rows, now });
    return [count, await tuplesRead(trx, 'tollgate.webhook_deliveries')];
  });
  expect(cancelled).toBe(rows);
  expect(read).toBeLessThan(20 * rows);
});
