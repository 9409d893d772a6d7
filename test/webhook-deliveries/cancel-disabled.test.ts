import { openDatabase, type Database } from '../../src/db/pools';
import { createLogger } from '../../src/telemetry/logger';
import type { WorkspaceScope } from '../../src/tenancy/actor';
import { createCanceller } from '../../src/webhook-deliveries/cancel-disabled';
import { findDueEndpoints, type FoundEndpoint } from '../../src/webhook-deliveries/due-store';
import { logIn, type OperatorClient } from '../support/operator';
import { startTestService, type TestService } from '../support/service';
import { announce, deliveryOf } from './rig';

/** What is cancelled of endpoints that were found disabled, and what they are by then. */
let service: TestService;
let database: Database;
let client: OperatorClient;
let scope: WorkspaceScope;
beforeAll(async () => {
  service = await startTestService({ webhookRules: { allowsLoopback: true } });
  const log = createLogger('test', 'silent');
  database = openDatabase(service.database.url('tollgate_deliverer'), { max: 2, applicationName: 'x', log });
  client = await logIn(service, { role: 'developer' });
  scope = { workspaceId: client.workspaceId, environment: 'sandbox' };
});
afterAll(async () => {
  await database.destroy();
  await service.stop();
});

const PATH = '/api/webhook-endpoints';

async function endpoint(): Promise<string> {
  const made = await client.post(PATH, { body: { url: 'http://127.0.0.1:9999/hook' } });
  return String(made.body['id']);
}

const enable = (id: string, enabled: boolean) => client.patch(`${PATH}/${id}`, { body: { enabled } });

async function foundDisabled(): Promise<FoundEndpoint[]> {
  const page = { at: service.clock.now(), after: '', atMost: 500 };
  const { endpoints } = await findDueEndpoints(database, page);
  return endpoints.filter(({ isDisabled }) => isDisabled);
}

async function cancel(found: readonly FoundEndpoint[]): Promise<void> {
  const log = createLogger('test', 'silent');
  const canceller = createCanceller({ database, clock: service.clock, log });
  canceller.begin(found);
  await canceller.idle();
}

test('of an endpoint that was enabled after it was found, nothing is cancelled: neither what is new nor what is sent again', async () => {
  const [enabledAgain, disabled] = [await endpoint(), await endpoint()];
  const before = await announce(service.database, scope);
  await enable(enabledAgain, false);
  await enable(disabled, false);
  const found = await foundDisabled();
  expect(found.map(({ endpointId }) => endpointId).sort()).toEqual([enabledAgain, disabled].sort());

  await enable(enabledAgain, true);
  const after = await announce(service.database, scope);
  await cancel(found);
  for (const message of [before, after]) {
    expect(await deliveryOf(service.database, enabledAgain, message)).toMatchObject({ status: 'pending' });
  }
  expect(await deliveryOf(service.database, disabled, before)).toMatchObject({ status: 'cancelled' });
});
