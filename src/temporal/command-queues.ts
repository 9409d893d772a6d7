import { TollgateError } from '../domain/errors';

/** Commands in flight per workflow. More would not be faster, because a workflow runs them one after the other. */
const IN_FLIGHT = 4;
/** Commands per workflow, in flight or waiting; equals Temporal's own limit of updates in flight. */
const LIMIT = 10;

interface Queue {
  inFlight: number;
  waiting: (() => void)[];
}

/**
 * Limits what this process sends to each workflow concurrently. Exceeding Temporal's limit of updates costs more than a
 * refusal: the server then drops all updates of that workflow that are not in its history yet, and the task in which
 * they run.
 */
export class CommandQueues {
  private readonly queues = new Map<string, Queue>();

  /**
   * Waits for a turn. Resolves to a function to call when the command has ended, or to undefined if its turn did not
   * come in time.
   *
   * @param target the id of the workflow's record
   * @throws TollgateError service_busy if ten are in flight or waiting
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

  /** Hands the slot to the next waiting command. */
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
