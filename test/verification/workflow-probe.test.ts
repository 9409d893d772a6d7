import { systemClock } from '../../src/clock/system-clock';
import { findFreePort } from '../../src/embedded/free-port';
import { startTemporalServer, type TemporalServer } from '../../src/embedded/temporal-server';
import { createTemporalClient } from '../../src/temporal/client';
import { createWorkflowProbe } from '../../src/temporal/workflow-probe';

let server: TemporalServer;
beforeAll(async () => {
  const cliPath = process.env['TEMPORAL_CLI_PATH'];
  if (cliPath === undefined)
    throw new Error('Set TEMPORAL_CLI_PATH, or run this with npm test, which sets it.');
  server = await startTemporalServer({ cliPath, port: await findFreePort() });
});
afterAll(() => server.stop());

test('a workflow runs from its start to its end, and an unknown one does not', async () => {
  const client = createTemporalClient({ address: server.address, namespace: 'default' });
  const isRunning = createWorkflowProbe(client, systemClock);
  expect(await isRunning('subscription/sandbox/sub_1')).toBe(false);
  const handle = await client.workflow.start('waits', {
    workflowId: 'subscription/sandbox/sub_1',
    taskQueue: 'nobody',
  });
  expect(await isRunning('subscription/sandbox/sub_1')).toBe(true);
  await handle.terminate();
  expect(await isRunning('subscription/sandbox/sub_1')).toBe(false);
  await client.connection.close();
});

test('a Temporal that is away is an error, not a missing workflow', async () => {
  const client = createTemporalClient({ address: `127.0.0.1:${await findFreePort()}`, namespace: 'default' });
  await expect(createWorkflowProbe(client, systemClock)('subscription/sandbox/sub_1')).rejects.toThrow();
  await client.connection.close();
});
