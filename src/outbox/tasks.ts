import type { TaskList } from 'graphile-worker';
import { z } from 'zod';
import type { Pokes } from '../temporal/pokes';
import type { OutboxTask } from './enqueue';

const scope = { workspaceId: z.string(), environment: z.enum(['sandbox', 'production']) };
const subscriptionJob = z.strictObject({ ...scope, subscriptionId: z.string() });
const checkoutJob = z.strictObject({ ...scope, checkoutId: z.string() });
const refundJob = z.strictObject({ ...scope, refundId: z.string() });
const workspaceJob = z.strictObject(scope);

/**
 * What the relay does for each job. A task that throws leaves its job in the queue, for later.
 *
 * @param options.failed hears of what a task fails with
 */
export function createTasks({ pokes, failed }: { pokes: Pokes; failed: (error: unknown) => void }): TaskList {
  const task =
    <Job>(schema: z.ZodType<Job>, perform: (job: Job) => Promise<void>) =>
    async (payload: unknown): Promise<void> => {
      const job = schema.parse(payload);
      try {
        await perform(job);
      } catch (error) {
        failed(error);
        throw error;
      }
    };
  return {
    'poke-subscription': task(subscriptionJob, pokes.subscription),
    'poke-checkout': task(checkoutJob, pokes.checkout),
    'poke-refund': task(refundJob, pokes.refund),
    'reschedule-subscriptions': task(workspaceJob, pokes.reschedule),
  } satisfies Record<OutboxTask, unknown>;
}
