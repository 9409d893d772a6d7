import { DAY_MS } from '../../src/domain/instant';
import type { CheckoutView } from '../../workflows/activity-types';
import { EARLIER_QUEUES } from '../../workflows/task-queues';
import { until } from '../support/until';
import { FakeBilling, monthlyView } from '../workflows/fake-billing';
import { pendingRefund } from '../workflows/fake-refund';
import type { SkippedTime } from '../workflows/time-skipping';
import { historyOf, type Scenario } from './scenarios';

/**
 * Replay scenarios of workflows that are woken on the queue that both environments shared: each reads its row and
 * continues as a new run on its environment's queue.
 */
export const movedScenarios: Readonly<Record<string, Scenario>> = {
  'subscription-moved': async (time, input) => {
    const now = await time.environment.currentTimeMs();
    const billing = new FakeBilling(monthlyView(now - 3 * DAY_MS, now));
    return moved(time, billing.activities, async () => time.poke(input));
  },

  'checkout-moved': async (time, { subscriptionId, ...scope }) => {
    const expiresAt = (await time.environment.currentTimeMs()) + DAY_MS;
    const view: CheckoutView = { open: true, expiresAt, clockOffset: 0 };
    const activities = { loadCheckout: () => Promise.resolve(view) };
    return moved(time, activities, () =>
      time.pokeCheckout({ ...scope, checkoutId: `chk_${subscriptionId}` }),
    );
  },

  'refund-moved': async (time, { subscriptionId, ...scope }) => {
    const refund = { ...scope, refundId: `ref_${subscriptionId}` };
    const view = pendingRefund(refund.refundId);
    const activities = {
      loadRefund: () => Promise.resolve(view),
      completeRefund: () => Promise.resolve(view),
    };
    const providers = { refundAtProvider: () => Promise.resolve({ kind: 'pending' } as const) };
    return moved(time, activities, () => time.pokeRefund(refund), providers);
  },
};

async function moved(
  time: SkippedTime,
  activities: Parameters<SkippedTime['working']>[0],
  poke: () => Promise<{ workflowId: string; signaledRunId: string }>,
  providers?: Parameters<SkippedTime['working']>[2],
): Promise<string> {
  return time.workingOnSharedQueues(activities, providers, async () => {
    const { workflowId, signaledRunId } = await poke();
    const next = time.client.workflow.getHandle(workflowId);
    await until(async () => (await next.describe()).runId !== signaledRunId);
    const { taskQueue } = await next.describe();
    if (taskQueue === EARLIER_QUEUES.billing) throw new Error('It has stayed where it was.');
    await next.terminate('The scenario is over.');
    return historyOf(time.client.workflow.getHandle(workflowId, signaledRunId));
  });
}
