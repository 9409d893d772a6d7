import type { TaskList } from 'graphile-worker';
import { z } from 'zod';
import type { PokeSubscription } from '../temporal/poke-subscription';
import type { OutboxTask } from './enqueue';

const subscriptionJob = z.strictObject({
  workspaceId: z.string(),
  environment: z.enum(['sandbox', 'production']),
  subscriptionId: z.string(),
});

/**
 * What the relay does for each job. A task that throws leaves its job in the queue, for later.
 *
 * @param options.failed hears of what a task fails with
 */
export function createTasks(options: {
  pokeSubscription: PokeSubscription;
  failed: (error: unknown) => void;
}): TaskList {
  return {
    'poke-subscription': async (payload: unknown) => {
      const job = subscriptionJob.parse(payload);
      try {
        await options.pokeSubscription(job);
      } catch (error) {
        options.failed(error);
        throw error;
      }
    },
  } satisfies Record<OutboxTask, unknown>;
}
