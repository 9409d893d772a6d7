import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { systemClock } from '../../src/clock/system-clock';
import { DAY_MS } from '../../src/domain/instant';
import type { TemporalServer } from '../../src/embedded/temporal-server';
import { createCommandSender } from '../../src/temporal/command-sender';
import { isTemporalBusy, isTemporalUnavailable } from '../../src/temporal/grpc-errors';
import { createWorkflowSignals } from '../../src/temporal/workflow-signals';
import { subscriptionWorkflowId } from '../../src/temporal/workflow-ids';
import { until } from '../support/until';
import { startDevServer, startWorkerWith, type Running } from './installation';
import { QuickBilling } from './quick-billing';

const ID = 'sub_busy';
const SENDERS = 3;
/** Commands after which a run that accepts all of them has some seven hundred events. */
const ENOUGH = 60;
const scope = { workspaceId: 'org_busy', environment: 'sandbox' } as const;
const billing = new QuickBilling();
let temporal: TemporalServer;
let worker: Running & { client: Client };

beforeAll(async () => {
  const { activities } = billing;
  const apply = activities.billing.runOperation.bind(activities.billing);
  activities.billing.runOperation = () => Promise.resolve({ kind: 'claimed' });
  activities.providers.runAtProvider = async (request) => {
    // Longer than it takes to send the next command.
    await pause(100);
    const answer = await apply(request);
    return answer.kind === 'applied' ? answer : { kind: 'unclaimed' };
  };
  temporal = await startDevServer();
  worker = startWorkerWith(temporal.address, () => activities);
});
afterAll(async () => {
  await worker.stop();
  await temporal.stop();
});

test('a run continues as new although there is always a command at the provider', async () => {
  const subscription = billing.open(ID);
  subscription.row = { ...subscription.row, currentPeriodEnd: Date.now() + 30 * DAY_MS };
  const { subscription: poke } = createWorkflowSignals(worker.client, systemClock);
  // The worker registers the search attributes first.
  await until(() =>
    poke({ ...scope, subscriptionId: ID }).then(
      () => true,
      () => false,
    ),
  );
  const sender = createCommandSender(worker.client, systemClock);
  let sent = 0;
  /** Sends one command after the other, each until it is answered, as the relay does. */
  const keepSending = async (): Promise<void> => {
    while (sent < ENOUGH) {
      sent += 1;
      const operationId = `op_${sent}`;
      const command = { scope, target: { kind: 'subscription', id: ID } as const, operationId };
      for (let outcome = ''; outcome !== 'applied';) {
        outcome = await sender.send({ ...command, updateId: operationId }).catch((error: unknown) => {
          if (!isTemporalUnavailable(error) && !isTemporalBusy(error)) throw error;
          return 'unanswered';
        });
      }
    }
  };
  const workflowId = subscriptionWorkflowId('sandbox', ID);
  const { runId } = await worker.client.workflow.getHandle(workflowId).describe();
  await Promise.all(Array.from({ length: SENDERS }, keepSending));
  const { historyLength } = await worker.client.workflow.getHandle(workflowId, runId).describe();
  expect(historyLength).toBeLessThan(500);
  expect(new Set(subscription.carried).size).toBe(ENOUGH);
  expect(subscription.carried).toHaveLength(ENOUGH);
});
