import { NativeConnection, Worker } from '@temporalio/worker';
import { systemClock } from '../../src/clock/system-clock';
import { openDatabase } from '../../src/db/pools';
import { createWorkerActivities } from '../../src/service/worker-activities';
import { createLogger } from '../../src/telemetry/logger';
import { createTemporalClient } from '../../src/temporal/client';
import { billingQueue } from '../../src/temporal/task-queues';
import { workflowBundle } from '../support/workflow-bundle';
import { TEST_URLS } from './installation';
import type { ErasureInput } from '../../workflows/messages';
import type { StepRequest, OperationRequest } from '../../workflows/activity-types';

/**
 * Runs a billing worker that kills itself during its first call of an activity: `before` the activity's transaction, or
 * `after` its commit but before Temporal is notified. At any other moment the test kills it.
 */
async function run(): Promise<void> {
  const [address = '', databaseUrl = '', activity, moment] = process.argv.slice(2);
  const log = createLogger('test', 'silent');
  const database = openDatabase(databaseUrl, { max: 3, applicationName: 'dying-worker', log });
  const client = createTemporalClient({ address, namespace: 'default' });
  const { billing } = createWorkerActivities({ database, client, clock: systemClock, urls: TEST_URLS });
  const dying =
    <Request, Result>(name: string, perform: (request: Request) => Promise<Result>) =>
    async (request: Request): Promise<Result> => {
      if (activity === name && moment === 'before') process.kill(process.pid, 'SIGKILL');
      const result = await perform(request);
      if (activity === name && moment === 'after') process.kill(process.pid, 'SIGKILL');
      return result;
    };
  const worker = await Worker.create({
    connection: await NativeConnection.connect({ address }),
    taskQueue: billingQueue('sandbox'),
    ...(await workflowBundle()),
    activities: {
      ...billing,
      eraseNext: dying('eraseNext', (request: ErasureInput) => billing.eraseNext(request)),
      takeStep: dying('takeStep', (request: StepRequest) => billing.takeStep(request)),
      runOperation: dying('runOperation', (request: OperationRequest) => billing.runOperation(request)),
    },
    stickyQueueScheduleToStartTimeout: '1s',
  });
  const running = worker.run();
  process.stdout.write('working\n');
  await running;
}

void run();
