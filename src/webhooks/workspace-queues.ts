import { TollgateError } from '../domain/errors';

/** Bounded concurrency, with a queue for each key. */
export interface WorkspaceQueues {
  /** @throws TollgateError service_busy when the key's queue is full; what `work` throws */
  run<Result>(key: string, work: () => Promise<Result>): Promise<Result>;
}

interface Queue {
  running: number;
  waiting: (() => void)[];
}

/**
 * Each key has its own queue, so that one workspace's deliveries, or a provider that is slow for it, delay no other
 * workspace.
 *
 * @param atOnce how many of a key run at once
 * @param waiting how many of a key may wait
 */
export function createWorkspaceQueues({
  atOnce,
  waiting,
}: {
  atOnce: number;
  waiting: number;
}): WorkspaceQueues {
  const queues = new Map<string, Queue>();
  return {
    async run(key, work) {
      const queue = queues.get(key) ?? { running: 0, waiting: [] };
      queues.set(key, queue);
      if (queue.running < atOnce) {
        queue.running += 1;
      } else {
        if (queue.waiting.length >= waiting) throw busy();
        // The one that finishes hands its slot on.
        await new Promise<void>((turn) => queue.waiting.push(turn));
      }
      try {
        return await work();
      } finally {
        const next = queue.waiting.shift();
        if (next !== undefined) next();
        else queue.running -= 1;
        if (queue.running === 0) queues.delete(key);
      }
    },
  };
}

function busy(): TollgateError {
  return new TollgateError('service_busy', 'Too many webhooks of this workspace are being processed.', {
    retryAfter: 10,
  });
}
