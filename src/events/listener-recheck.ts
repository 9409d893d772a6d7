import type { Clock } from '../clock/system-clock';
import type { EventListener } from './event-listener';

/** How old a proof of session and membership may become before it is asked for again. */
const RECHECK_MS = 15_000;
/** A stream whose right to be open cannot be proved for this long ends; the promise is 30 seconds. */
const UNPROVED_MS = 25_000;
/** How often the ages are looked at. */
const LOOK_EVERY_MS = 1_000;

export interface ListenerRecheck {
  /** Looks at the listeners from time to time until `stop`. */
  start(): void;
  stop(): void;
}

/**
 * Ends the streams of sessions and memberships that have ended. It has a timer of its own, so that a database that
 * does not answer cannot keep a stream open beyond the promise.
 */
export function createListenerRecheck<Message>(options: {
  listeners: ReadonlySet<EventListener<Message>>;
  clock: Clock;
  end: (listener: EventListener<Message>) => void;
}): ListenerRecheck {
  const { listeners, clock, end } = options;
  let timer: NodeJS.Timeout | null = null;
  let asking = false;

  function look(): void {
    const now = clock.now();
    for (const listener of listeners) {
      // A clock that was set back must not stretch a proof: how old it is, is not known any more.
      if (now < listener.allowedAt) listener.allowedAt = now - RECHECK_MS;
      if (now - listener.allowedAt >= UNPROVED_MS) void judge(listener);
    }
    if (!asking) void ask();
  }

  /** One last try for a clock that jumped, such as a machine that slept; it may not take long. */
  async function judge(listener: EventListener<Message>): Promise<void> {
    const proved = await Promise.race([
      listener.authorization.isAllowed().catch(() => false),
      new Promise<false>((resolve) => setTimeout(resolve, LOOK_EVERY_MS, false).unref()),
    ]);
    if (proved) listener.allowedAt = clock.now();
    else end(listener);
  }

  async function ask(): Promise<void> {
    asking = true;
    try {
      for (const listener of [...listeners]) {
        const now = clock.now();
        if (now - listener.allowedAt < RECHECK_MS) continue;
        if (await listener.authorization.isAllowed()) listener.allowedAt = now;
        else end(listener);
      }
    } catch {
      // The database cannot say now: the next look asks again, and `look` keeps the promise meanwhile.
    } finally {
      asking = false;
    }
  }

  return {
    start: () => {
      timer ??= setInterval(look, LOOK_EVERY_MS);
    },
    stop: () => {
      if (timer !== null) clearInterval(timer);
      timer = null;
    },
  };
}
