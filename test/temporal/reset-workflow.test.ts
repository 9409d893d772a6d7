import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { DAY_MS } from '../../src/domain/instant';
import type { TemporalServer } from '../../src/embedded/temporal-server';
import { subscriptionWorkflowId } from '../../src/temporal/workflow-ids';
import { until } from '../support/until';
import { pokeAsRelay, sendAsRelay } from './as-relay';
import { startDevServer, startWorkerWith, type Running } from './installation';
import { QuickBilling, type QuickSubscription } from './quick-billing';

/** Operators may reset a workflow, and delete it with its history, in Temporal's UI. */
const scope = { workspaceId: 'org_reset', environment: 'sandbox' } as const;
const billing = new QuickBilling();
/** Operations that their provider has not answered yet. */
const atProvider = new Set<string>();
/** Operations that have begun at their provider, in order. */
const begun: string[] = [];
let temporal: TemporalServer;
let worker: Running & { client: Client };

beforeAll(async () => {
  const { activities } = billing;
  const { billing: local, providers } = activities;
  const apply = local.runOperation.bind(local);
  local.runOperation = async (request) =>
    atProvider.has(request.operationId) ? { kind: 'claimed' } : apply(request);
  providers.runAtProvider = async (request) => {
    begun.push(request.operationId);
    while (atProvider.has(request.operationId)) await pause(20);
    const answer = await apply(request);
    return answer.kind === 'applied' ? answer : { kind: 'unclaimed' };
  };
  temporal = await startDevServer();
  worker = startWorkerWith(temporal.address, () => activities);
});
afterAll(async () => {
  atProvider.clear();
  await worker.stop();
  await temporal.stop();
});

/** Opens a subscription whose workflow sleeps for a month. */
async function open(subscriptionId: string): Promise<QuickSubscription> {
  const subscription = billing.open(subscriptionId);
  subscription.row = { ...subscription.row, currentPeriodEnd: Date.now() + 30 * DAY_MS };
  await poke(subscriptionId, subscription);
  return subscription;
}

/** Has the workflow read its row. */
async function poke(subscriptionId: string, subscription: QuickSubscription): Promise<void> {
  subscription.sent += 1;
  await pokeAsRelay(worker.client, { scope, subscriptionId });
  await until(() => subscription.seen === subscription.sent);
}

function send(subscriptionId: string, operationId: string): Promise<string> {
  return sendAsRelay(worker.client, { scope, subscriptionId }, operationId);
}

function workflowOf(subscriptionId: string) {
  const workflowId = subscriptionWorkflowId('sandbox', subscriptionId);
  const runId = async (): Promise<string> =>
    (await worker.client.workflow.getHandle(workflowId).describe()).runId;
  return {
    runId,
    /** Resets a run to its first workflow task. */
    reset: async (run: string): Promise<void> => {
      const { events } = await worker.client.workflow.getHandle(workflowId, run).fetchHistory();
      const end = (events ?? []).find(
        ({ workflowTaskCompletedEventAttributes: task }) => (task ?? null) !== null,
      );
      await worker.client.workflowService.resetWorkflowExecution({
        namespace: 'default',
        workflowExecution: { workflowId, runId: run },
        reason: 'by hand',
        workflowTaskFinishEventId: end?.eventId ?? null,
        requestId: randomUUID(),
      });
    },
    delete: () =>
      worker.client.workflowService.deleteWorkflowExecution({
        namespace: 'default',
        workflowExecution: { workflowId },
      }),
  };
}

test('an earlier run that is reset takes over from the last one, and carries out nothing again', async () => {
  const subscription = await open('sub_earlier');
  const workflow = workflowOf('sub_earlier');
  await send('sub_earlier', 'op_earlier_1');
  const first = await workflow.runId();
  // The run continues as new when its history has grown long.
  await until(async () => {
    await poke('sub_earlier', subscription);
    return (await workflow.runId()) !== first;
  });
  await send('sub_earlier', 'op_earlier_2');
  await workflow.reset(first);
  expect(await send('sub_earlier', 'op_earlier_2')).toBe('applied');
  expect(await send('sub_earlier', 'op_earlier_3')).toBe('applied');
  await poke('sub_earlier', subscription);
  expect(subscription.carried).toEqual(['op_earlier_1', 'op_earlier_2', 'op_earlier_3']);
});

test.each(['reset', 'delete'] as const)(
  'commands in progress are carried out once each after a %s',
  async (how) => {
    const id = `sub_${how}`;
    const [first, second] = [`op_${how}_1`, `op_${how}_2`];
    const subscription = await open(id);
    const workflow = workflowOf(id);
    atProvider.add(first);
    const calling = send(id, first);
    await until(() => begun.includes(first));
    const waiting = send(id, second);
    if (how === 'reset') await workflow.reset(await workflow.runId());
    else await workflow.delete();
    await until(() => begun.filter((operation) => operation === first).length === 2);
    atProvider.delete(first);
    expect(await Promise.all([calling, waiting])).toEqual(['applied', 'applied']);
    expect([...subscription.carried].sort()).toEqual([first, second]);
  },
);
