import { historyToJSON } from '@temporalio/common/lib/proto-utils';
import type { WorkflowHandle } from '@temporalio/client';
import { DAY_MS } from '../../src/domain/instant';
import type { SubscriptionInput } from '../../workflows/messages';
import { until } from '../support/until';
import { FakeBilling, monthlyView } from '../workflows/fake-billing';
import type { SkippedTime } from '../workflows/time-skipping';

/** Makes a history to be stored, as JSON text. */
export type Scenario = (time: SkippedTime, input: SubscriptionInput) => Promise<string>;

/** What is replayed: a stored history for each way that a subscription's workflow goes. */
export const scenarios: Readonly<Record<string, Scenario>> = {
  /** A run that sleeps a month, turns the period and goes on as a new run. */
  'period-turned': async (time, input) => {
    const now = await time.environment.currentTimeMs();
    const billing = new FakeBilling(monthlyView(now - 3 * DAY_MS, now));
    return time.working(billing.activities, async () => {
      const { signaledRunId, workflowId } = await time.poke(input);
      await time.pass(31 * DAY_MS);
      await until(async () => (await runOf(time, workflowId)) !== signaledRunId);
      const history = await historyOf(time.client.workflow.getHandle(workflowId, signaledRunId));
      await cancel(time, input, billing);
      return history;
    });
  },

  'trial-ended': async (time, input) => {
    const now = await time.environment.currentTimeMs();
    const trialEnd = now + 14 * DAY_MS;
    const billing = new FakeBilling({
      ...monthlyView(trialEnd, trialEnd),
      status: 'trialing',
      trialEnd,
      currentPeriodStart: now,
      currentPeriodEnd: trialEnd,
    });
    return time.working(billing.activities, async () => {
      const { signaledRunId, workflowId } = await time.poke(input);
      await time.pass(15 * DAY_MS);
      await until(async () => (await runOf(time, workflowId)) !== signaledRunId);
      const history = await historyOf(time.client.workflow.getHandle(workflowId, signaledRunId));
      await cancel(time, input, billing);
      return history;
    });
  },

  /** Half a year of missed periods, one after the other in one run. */
  'caught-up': async (time, input) => {
    const now = await time.environment.currentTimeMs();
    const billing = new FakeBilling(monthlyView(now - 200 * DAY_MS, now - 200 * DAY_MS));
    billing.endAfter = 6;
    return time.working(billing.activities, async () => {
      const { workflowId } = await time.poke(input);
      await time.completed(workflowId);
      return historyOf(time.client.workflow.getHandle(workflowId));
    });
  },

  /** Pokes while it sleeps: the sandbox's clock is advanced, and then the subscription ends. */
  'poked-and-finished': async (time, input) => {
    const now = await time.environment.currentTimeMs();
    const billing = new FakeBilling(monthlyView(now - 3 * DAY_MS, now));
    return time.working(billing.activities, async () => {
      const { workflowId } = await time.poke(input);
      await until(() => billing.loads === 1);
      await time.pass(DAY_MS);
      billing.row = { ...billing.row, clockOffset: 5 * DAY_MS };
      await time.poke(input);
      await until(() => billing.loads === 2);
      await time.pass(DAY_MS);
      await cancel(time, input, billing);
      return historyOf(time.client.workflow.getHandle(workflowId));
    });
  },

  'next-wake-sweep': async (time, input) =>
    time.working({ pokeOverdueSubscriptions: () => Promise.resolve(2) }, async () => {
      const workflowId = `sweep/${input.subscriptionId}`;
      const handle = await time.start('nextWakeSweep', workflowId);
      await time.completed(workflowId);
      return historyOf(handle);
    }),
};

async function runOf(time: SkippedTime, workflowId: string): Promise<string> {
  return (await time.client.workflow.getHandle(workflowId).describe()).runId;
}

async function cancel(time: SkippedTime, input: SubscriptionInput, billing: FakeBilling): Promise<void> {
  billing.row = { ...billing.row, status: 'cancelled' };
  const { workflowId } = await time.poke(input);
  await time.completed(workflowId);
}

async function historyOf(handle: WorkflowHandle): Promise<string> {
  return historyToJSON(await handle.fetchHistory());
}
