import { Client, Connection } from '@temporalio/client';
import { findFreePort } from '../../src/embedded/free-port';
import { startTemporalServer } from '../../src/embedded/temporal-server';

const ONE_PARTITION = ['Read', 'Write'].flatMap((kind) => [
  '--dynamic-config-value',
  `matching.numTaskqueue${kind}Partitions=1`,
]);

test('the server heeds fairness keys: one workspace’s backlog does not hold up another’s', async () => {
  const cliPath = process.env['TEMPORAL_CLI_PATH'];
  if (cliPath === undefined)
    throw new Error('Set TEMPORAL_CLI_PATH, or run this with npm test, which sets it.');
  const port = await findFreePort();
  const server = await startTemporalServer({ cliPath, port, extraArguments: ONE_PARTITION });
  const connection = await Connection.connect({ address: server.address });
  const client = new Client({ connection });
  const start = (workflowId: string, fairnessKey: string) =>
    client.workflow.start('waits', { workflowId, taskQueue: 'queue', priority: { fairnessKey } });
  for (let number = 0; number < 40; number += 1) await start(`busy-${number}`, 'org_busy');
  await start('other', 'org_other');

  const taken: string[] = [];
  while (!taken.includes('other')) {
    const poll = { namespace: 'default', taskQueue: { name: 'queue', kind: 1 }, identity: 'test' };
    const task = await connection.withDeadline(Date.now() + 30_000, () =>
      connection.workflowService.pollWorkflowTaskQueue(poll),
    );
    taken.push(task.workflowExecution?.workflowId ?? '');
  }
  await connection.close();
  await server.stop();
  expect(taken.length).toBeLessThan(20);
});
