import { namedCall, type NamedCall } from './named-call';
import type { Persistence } from './persistence';
import type { SimulatorClock } from './types';

/** A call due at an instant, unless it is cancelled before. */
class Due {
  constructor(
    readonly instant: number,
    readonly what: NamedCall<Promise<void> | void>,
    readonly waiting: Set<Due>,
  ) {}

  cancel(): void {
    this.waiting.delete(this);
  }
}

const nothing = namedCall('clock.nothing', () => undefined);

export interface RunningClock extends SimulatorClock {
  /** Performs overdue calls in order, each at its own instant. */
  catchUp(): Promise<void>;
  /** Performs due calls as real time passes; the returned function stops that. */
  tick(everyMs: number): () => void;
}

/** @param real the real clock; tests pass their own */
export function createClock(real: () => number, persistence: Persistence): RunningClock {
  const state = { waiting: new Set<Due>(), offset: 0 };
  let held: number | undefined;
  let turn: Promise<void> = Promise.resolve();
  persistence.keep('clock', state);
  persistence.instances('clock.Due', Due, () => new Due(0, nothing(), state.waiting));

  const now = (): number => held ?? real() + state.offset;

  /** @param start no call is performed at an earlier instant than this */
  async function runUntil(target: number, start: number): Promise<void> {
    try {
      for (;;) {
        const next = earliest(state.waiting, target);
        if (next === undefined) break;
        state.waiting.delete(next);
        held = Math.max(held ?? start, next.instant);
        persistence.changed();
        await next.what.perform();
        // A state that is stored on the way has the clock at this instant.
        state.offset = Math.max(state.offset, held - real());
      }
    } finally {
      held = undefined;
      // Real time has continued and may have passed the target.
      state.offset = Math.max(state.offset, target - real());
    }
  }

  /** Calls that fell due between two reads are performed at their own instants. */
  function catchUp(): Promise<void> {
    return follow(() => runUntil(now(), -Infinity));
  }

  function follow(run: () => Promise<void>): Promise<void> {
    const running = turn.then(run);
    turn = running.catch(() => undefined);
    return running;
  }

  return {
    now,
    real,
    advanceTo: async (instant) => {
      if (instant < now()) throw new RangeError('The clock cannot be moved back.');
      await follow(async () => {
        // Real time, or an earlier call, may have moved the clock further in the meantime.
        await runUntil(Math.max(instant, now()), now());
        persistence.changed();
      });
    },
    catchUp,
    at: (instant, what) => {
      const due = new Due(instant, what, state.waiting);
      state.waiting.add(due);
      return due;
    },
    tick: (everyMs) => {
      const timer = setInterval(() => {
        if (held !== undefined || earliest(state.waiting, now()) === undefined) return;
        catchUp()
          .then(() => persistence.stored())
          .catch(() => undefined);
      }, everyMs);
      timer.unref();
      return () => {
        clearInterval(timer);
      };
    },
  };
}

/** Returns the first call due; of those due at the same instant, the one scheduled first. */
function earliest(waiting: ReadonlySet<Due>, until: number): Due | undefined {
  let first: Due | undefined;
  for (const due of waiting) {
    if (due.instant > until) continue;
    if (first === undefined || due.instant < first.instant) first = due;
  }
  return first;
}
