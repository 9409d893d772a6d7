import type { Client } from '@temporalio/client';
import type { TemporalServer } from '../../src/embedded/temporal-server';
import { DAY_MS } from '../../src/domain/instant';
import { subscriptionWorkflowId } from '../../src/temporal/workflow-ids';
import { until } from '../support/until';
import { pokeAsRelay, sendAsRelay } from './as-relay';
import { startDevServer, startWorkerWith, type Running } from './installation';
import { QuickBilling } from './quick-billing';

const ID = 'sub_cancelled';
const scope = { workspaceId: 'org_cancelled', environment: 'sandbox' } as const;
const billing = new QuickBilling();
/** Operations that have begun at their provider, in order. */
const begun: string[] = [];
let temporal: TemporalServer;
let worker: Running & { client: Client };
let answer: (result: { kind: 'unclaimed' }) => void = () => undefined;

beforeAll(async () => {
  const { activities } = billing;
  const { billing: local } = activities;
  const apply = local.runOperation.bind(local);
  local.runOperation = async (request) =>
    request.operationId === 'op_1' && begun.length === 0 ? { kind: 'claimed' } : apply(request);
  // The provider does not answer before the test ends.
  activities.providers.runAtProvider = ({ operationId }) => {
    begun.push(operationId);
    return new Promise((resolve) => {
      answer = resolve;
    });
  };
  temporal = await startDevServer();
  worker = startWorkerWith(temporal.address, () => activities);
});
afterAll(async () => {
  answer({ kind: 'unclaimed' });
  await worker.stop();
  await temporal.stop();
});

test('commands of a run that an operator cancels are carried out by the next one, each once', async () => {
  const subscription = billing.open(ID);
  subscription.row = { ...subscription.row, currentPeriodEnd: Date.now() + 30 * DAY_MS };
  const place = { scope, subscriptionId: ID };
  await pokeAsRelay(worker.client, place);
  const send = (operationId: string) => sendAsRelay(worker.client, place, operationId);

  const atProvider = send('op_1');
  await until(() => begun.length === 1);
  const waiting = send('op_2');
  const handle = worker.client.workflow.getHandle(subscriptionWorkflowId('sandbox', ID));
  await until(async () => {
    const { events } = await handle.fetchHistory();
    const accepted = (events ?? []).filter(
      ({ workflowExecutionUpdateAcceptedEventAttributes: update }) => (update ?? null) !== null,
    );
    return accepted.length === 2;
  });
  await handle.cancel();

  expect(await Promise.all([atProvider, waiting])).toEqual(['applied', 'applied']);
  // Temporal still has the outcome of the update that was cancelled.
  expect(await Promise.all([send('op_1'), send('op_2')])).toEqual(['applied', 'applied']);
  expect([...subscription.carried].sort()).toEqual(['op_1', 'op_2']);
});
