import type { Client } from '@temporalio/client';
import { startSimulators, type RunningSimulators } from '../../simulators/start';
import { systemClock } from '../../src/clock/system-clock';
import { createKeyRing } from '../../src/credentials/key-ring';
import type { TemporalServer } from '../../src/embedded/temporal-server';
import { DAY_MS } from '../../src/domain/instant';
import { ensureSchedules } from '../../src/temporal/schedules';
import { connect, fakeSecret } from '../connections/connection-calls';
import { press } from '../support/provider-world';
import { textOfHistory } from '../support/history-text';
import { logIn, type OperatorClient } from '../support/operator';
import { startTestService, testSecrets, type TestService } from '../support/service';
import { until } from '../support/until';
import { startDevServer, startWorker, type Running } from './installation';

/** The schedule calls every connection's provider; one that cannot be called does not block the others. */
const secretKey = fakeSecret('sk_test_');
let simulators: RunningSimulators;
let service: TestService;
let temporal: TemporalServer;
let worker: Running & { client: Client };
let operator: OperatorClient;
beforeAll(async () => {
  [simulators, temporal] = await Promise.all([startSimulators({ retryDelaysMs: [] }), startDevServer()]);
  const providerUrls = { provider_c: simulators.urls.c };
  service = await startTestService({ providerUrls });
  operator = await logIn(service, { role: 'admin' });
  simulators.providers.c.account({ secretKey, webhookUrl: `${service.urls.sandbox}/nowhere`, plans: [] });
  worker = startWorker(service.database, temporal.address, {
    keyRing: createKeyRing(testSecrets.credentialKeys),
    providerUrls,
  });
});
afterAll(async () => {
  await worker.stop();
  await temporal.stop();
  await service.stop();
  await simulators.stop();
});

async function payAtC(): Promise<void> {
  const answer = await fetch(`${simulators.urls.c}/transaction/initialize`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'ada@example.test', amount: 5000, currency: 'USD' }),
  });
  const { data } = (await answer.json()) as { data: { authorization_url: string } };
  await press(data.authorization_url, { act: 'pay' });
}

test('what the provider has settled is recorded, though another connection’s credentials are refused', async () => {
  const broken = await connect(operator, {
    provider: 'provider_c',
    secrets: { secretKey: fakeSecret('sk_test_') },
  });
  const connection = await connect(operator, { provider: 'provider_c', secrets: { secretKey } });
  const schedule = worker.client.schedule.getHandle('settlements-sandbox');
  // Its own run, at 03:30 UTC, could come first. A paused schedule can be triggered.
  await until(() =>
    schedule.pause('the test triggers it').then(
      () => true,
      () => false,
    ),
  );
  await payAtC();
  const later = Date.now() + 2 * DAY_MS;
  await simulators.core.clock.advanceTo(later);
  await service.database.query(
    `INSERT INTO tollgate.sandbox_clocks (workspace_id, environment, offset_ms, updated_at) VALUES ($1, 'sandbox', $2, now())`,
    [operator.workspaceId, 2 * DAY_MS],
  );
  await schedule.trigger();
  const settled = () =>
    service.database.query<{ connection_id: string; net: string; unmatched: string }>(
      'SELECT connection_id, net, unmatched FROM tollgate.settlements',
    );
  await until(async () => (await settled()).length > 0);
  const [row, ...more] = await settled();
  expect(more).toEqual([]);
  expect(row).toMatchObject({ connection_id: connection });
  expect(row?.connection_id).not.toBe(broken);
  // The service has no record of the payment.
  expect(row?.unmatched).toBe('5000');
  const { recentActions } = (await schedule.describe()).info;
  const workflowId = recentActions[0]?.action.workflow.workflowId ?? '';
  expect(workflowId).toMatch(/^settlements-sandbox-/);
  const text = textOfHistory(await worker.client.workflow.getHandle(workflowId).fetchHistory());
  expect(text).toContain(connection);
  expect(text).not.toContain(secretKey);
});

test('another worker leaves a paused schedule paused', async () => {
  const schedule = worker.client.schedule.getHandle('settlements-sandbox');
  await schedule.pause('by an operator');
  await ensureSchedules(worker.client, systemClock, 'sandbox');
  expect((await schedule.describe()).state).toMatchObject({ paused: true, note: 'by an operator' });
});
