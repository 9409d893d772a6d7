import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { DAY_MS } from '../../src/domain/instant';
import type { TemporalServer } from '../../src/embedded/temporal-server';
import { subscriptionWorkflowId } from '../../src/temporal/workflow-ids';
import { pokeAsRelay, sendAsRelay } from './as-relay';
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
  await pokeAsRelay(worker.client, { scope, subscriptionId: ID });
  let sent = 0;
  /** Sends one command after the other. */
  const keepSending = async (): Promise<void> => {
    while (sent < ENOUGH) {
      sent += 1;
      const place = { scope, subscriptionId: ID };
      expect(await sendAsRelay(worker.client, place, `op_${sent}`)).toBe('applied');
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
