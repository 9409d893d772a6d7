import { CallPace } from './call-pace';

/** Limits on one connection's calls to its provider, in one process. */
export interface ConnectionBounds {
  /** Calls in flight. */
  atOnce: number;
  /** Calls waiting; further ones are rejected. */
  waiting: number;
  /** Calls started per second. */
  aSecond: number;
  /** A call that waited longer is rejected, because its caller has timed out. */
  longestWaitMs: number;
}

/** A call that was not made, with the reason. */
export class QueueRejected {
  constructor(readonly reason: string) {}
}

/** A first-in, first-out queue of calls for each connection. */
export class ConnectionQueues {
  private readonly queues = new Map<string, { running: number; waiting: (() => void)[] }>();
  private readonly pace: CallPace;

  constructor(private readonly bounds: ConnectionBounds) {
    this.pace = new CallPace(bounds.aSecond);
  }

  /** Makes a call when its turn comes. @returns its result, or why it was rejected */
  async run<T>(connectionId: string, call: () => Promise<T>): Promise<T | QueueRejected> {
    const until = performance.now() + this.bounds.longestWaitMs;
    const queue = this.queues.get(connectionId) ?? { running: 0, waiting: [] };
    this.queues.set(connectionId, queue);
    if (queue.running < this.bounds.atOnce) {
      queue.running += 1;
    } else if (queue.waiting.length >= this.bounds.waiting) {
      return new QueueRejected('Too many calls of this connection are already waiting for the provider.');
    } else {
      // A call that ends hands its slot to the next waiting call, so that no later call takes it.
      await new Promise<void>((turn) => queue.waiting.push(turn));
    }
    try {
      if (performance.now() > until) return rejectLate();
      // With many calls at once and few a second, this is the longer wait.
      if (!(await this.pace.turn(connectionId, until))) return rejectLate();
      return await call();
    } finally {
      const next = queue.waiting.shift();
      if (next !== undefined) next();
      else queue.running -= 1;
      if (queue.running === 0) this.queues.delete(connectionId);
    }
  }
}

function rejectLate(): QueueRejected {
  return new QueueRejected('The call waited too long for its turn and was not sent.');
}
