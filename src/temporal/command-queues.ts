import { TollgateError } from '../domain/errors';

/** Commands in flight to one workflow. More would not be faster: a workflow runs them one after the other. */
const IN_FLIGHT = 4;
/** Commands of one workflow, in flight or waiting; Temporal's own limit of updates in flight. */
const LIMIT = 10;

interface Queue {
  inFlight: number;
  waiting: (() => void)[];
}

/**
 * What this process sends to each workflow at once. An update above Temporal's limit costs more than its refusal: the
 * server then forgets all updates of that workflow that are not in its history yet, and the task in which they run.
 */
export class CommandQueues {
  private readonly queues = new Map<string, Queue>();

  /**
   * Resolves to what is called when the command has ended; to undefined when its turn did not come in time.
   *
   * @param target the id of what the workflow is about
   * @throws TollgateError service_busy where ten are in flight or waiting
   */
  async enter(target: string, waitMs: number): Promise<(() => void) | undefined> {
    const queue = this.queues.get(target) ?? { inFlight: 0, waiting: [] };
    if (queue.inFlight + queue.waiting.length >= LIMIT) throw tooManyCommands();
    this.queues.set(target, queue);
    const leave = (): void => {
      this.leave(target, queue);
    };
    if (queue.inFlight < IN_FLIGHT) {
      queue.inFlight += 1;
      return leave;
    }
    return new Promise((resolve) => {
      const begin = (): void => {
        clearTimeout(timer);
        resolve(leave);
      };
      const timer = setTimeout(() => {
        queue.waiting.splice(queue.waiting.indexOf(begin), 1);
        resolve(undefined);
      }, waitMs);
      queue.waiting.push(begin);
    });
  }

  /** The place goes to the next that waits. */
  private leave(target: string, queue: Queue): void {
    const next = queue.waiting.shift();
    if (next !== undefined) {
      next();
      return;
    }
    queue.inFlight -= 1;
    if (queue.inFlight === 0) this.queues.delete(target);
  }
}

export function tooManyCommands(cause?: unknown): TollgateError {
  return new TollgateError('service_busy', 'Too many commands are already waiting for this subscription.', {
    retryAfter: 2,
    ...(cause !== undefined && { cause }),
  });
}
