import type { Clock } from '../clock/system-clock';
import type { EventListener } from './event-listener';

/** How old a proof of session and membership may become before it is checked again. */
const RECHECK_MS = 15_000;
/** A stream whose authorization cannot be proved for this long ends. The promised limit is 30 seconds. */
const UNPROVED_MS = 25_000;
/** How often the ages are checked. */
const RECHECK_INTERVAL_MS = 1_000;

export interface ListenerRecheck {
  /** Checks the listeners periodically until `stop`. */
  start(): void;
  stop(): void;
}

/**
 * Ends the streams of sessions and memberships that have ended. It uses a timer of its own, so that an unresponsive
 * database cannot keep a stream open beyond the promised limit.
 */
export function createListenerRecheck<Message>(options: {
  listeners: ReadonlySet<EventListener<Message>>;
  clock: Clock;
  end: (listener: EventListener<Message>) => void;
}): ListenerRecheck {
  const { listeners, clock, end } = options;
  let timer: NodeJS.Timeout | null = null;
  let rechecking = false;

  function checkAges(): void {
    const now = clock.now();
    for (const listener of listeners) {
      // A clock that was set back must not extend a proof. Its age is then unknown, so it counts as due for a check.
      if (now < listener.allowedAt) listener.allowedAt = now - RECHECK_MS;
      if (now - listener.allowedAt >= UNPROVED_MS) void judge(listener);
    }
    if (!rechecking) void recheckAll();
  }

  /** Makes one last, short check, in case the clock jumped because the machine was asleep. */
  async function judge(listener: EventListener<Message>): Promise<void> {
    const proved = await Promise.race([
      listener.authorization.isAllowed().catch(() => false),
      new Promise<false>((resolve) => setTimeout(resolve, RECHECK_INTERVAL_MS, false).unref()),
    ]);
    if (proved) listener.allowedAt = clock.now();
    else end(listener);
  }

  async function recheckAll(): Promise<void> {
    rechecking = true;
    try {
      for (const listener of [...listeners]) {
        const now = clock.now();
        if (now - listener.allowedAt < RECHECK_MS) continue;
        if (await listener.authorization.isAllowed()) listener.allowedAt = now;
        else end(listener);
      }
    } catch {
      // The database is unavailable. The next round checks again, and `checkAges` enforces the limit in the meantime.
    } finally {
      rechecking = false;
    }
  }

  return {
    start: () => {
      timer ??= setInterval(checkAges, RECHECK_INTERVAL_MS);
    },
    stop: () => {
      if (timer !== null) clearInterval(timer);
      timer = null;
    },
  };
}
