import { TollgateError } from '../domain/errors';

/** Bounded concurrency, with a queue for each key. */
export interface WorkspaceQueues {
  /**
   * @param refuse called instead of `work` if the key's queue is full, with the error to answer with
   * @throws the errors of `work` and `refuse`
   */
  run<Result>(
    key: string,
    work: () => Promise<Result>,
    refuse: (busy: TollgateError) => Promise<Result>,
  ): Promise<Result>;
}

interface Queue {
  running: number;
  waiting: (() => void)[];
}

/**
 * Gives each key its own queue, so that one workspace's deliveries, or a provider that is slow for it, do not delay
 * other workspaces.
 *
 * @param atOnce how many run at once per key
 * @param waiting how many may wait per key
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
    async run(key, work, refuse) {
      const queue = queues.get(key) ?? { running: 0, waiting: [] };
      queues.set(key, queue);
      if (queue.running < atOnce) {
        queue.running += 1;
      } else {
        if (queue.waiting.length >= waiting) return refuse(busy());
        // A finished run hands its slot to the next.
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
