import type { SimulatorClock } from './types';

interface Due {
  instant: number;
  order: number;
  what: () => Promise<void> | void;
}

export interface RunningClock extends SimulatorClock {
  /** Lets what is due run as real time passes; the returned function ends that. */
  tick(everyMs: number): () => void;
}

/** @param real the real clock; tests give their own */
export function createClock(real: () => number = Date.now): RunningClock {
  const waiting = new Set<Due>();
  let offset = 0;
  let held: number | undefined;
  let order = 0;
  let turn: Promise<void> = Promise.resolve();

  const now = (): number => held ?? real() + offset;

  async function runUntil(target: number): Promise<void> {
    const start = now();
    try {
      for (;;) {
        const next = earliest(waiting, target);
        if (next === undefined) break;
        waiting.delete(next);
        held = Math.max(held ?? start, next.instant);
        await next.what();
      }
    } finally {
      held = undefined;
      // Real time went on meanwhile, and may have come further than the target.
      offset = Math.max(offset, target - real());
    }
  }

  function advanceTo(instant: number): Promise<void> {
    const run = turn.then(() => {
      if (instant < now()) throw new RangeError('The clock does not go back.');
      return runUntil(instant);
    });
    turn = run.catch(() => undefined);
    return run;
  }

  return {
    now,
    real,
    advanceTo,
    at: (instant, what) => {
      const due: Due = { instant, order: (order += 1), what };
      waiting.add(due);
      return { cancel: () => void waiting.delete(due) };
    },
    tick: (everyMs) => {
      const timer = setInterval(() => {
        if (held === undefined && earliest(waiting, now()) !== undefined) {
          turn = turn.then(() => runUntil(now())).catch(() => undefined);
        }
      }, everyMs);
      timer.unref();
      return () => {
        clearInterval(timer);
      };
    },
  };
}

function earliest(waiting: ReadonlySet<Due>, until: number): Due | undefined {
  let first: Due | undefined;
  for (const due of waiting) {
    if (due.instant > until) continue;
    if (first === undefined || due.instant < first.instant) first = due;
  }
  return first;
}
