import { deliver, tamperWith, forgetOldest, newParcel, noSwitches, type Parcel } from './parcel';
import type { Persistence } from './persistence';
import type { SimulatorClock, WebhookOutbox } from './types';

export interface OutboxOptions {
  /** Real milliseconds before the second, third … attempt. */
  retryDelaysMs?: readonly number[] | undefined;
  timeoutMs?: number | undefined;
}

export interface RunningOutbox extends WebhookOutbox {
  /** Continues with the attempts that an earlier process had planned, in their order. */
  resume(): void;
  /** Starts no further attempt. */
  stop(): Promise<void>;
}

const RETRY_DELAYS_MS = [1_000, 5_000, 30_000, 120_000, 600_000, 3_600_000];
const TIMEOUT_MS = 30_000;
/** How long a reordered delivery is held to see whether another one follows. */
const REORDER_MS = 50;
/** Creates an outbox that sends webhooks in order until they are accepted, unless a switch says otherwise. */
export function createOutbox(
  clock: SimulatorClock,
  options: OutboxOptions,
  persistence: Persistence,
): RunningOutbox {
  const delays = options.retryDelaysMs ?? RETRY_DELAYS_MS;
  const timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
  const state = { switches: noSwitches(), parcels: new Array<Parcel>() };
  const timers = new Map<Parcel, NodeJS.Timeout>();
  const underWay = new Set<Promise<void>>();
  const lines = new Map<string, Promise<void>>();
  let heldBack: Parcel[] = [];
  let stopped = false;
  persistence.keep('outbox', state);

  /** @param elsewhere the address that replaces the parcel's own, if any */
  async function attempt(parcel: Parcel, elsewhere: string | null): Promise<void> {
    if (stopped) return;
    // Nothing is sent that a crash could still undo.
    const isStored = await persistence.stored().then(
      () => true,
      () => false,
    );
    if (!isStored) {
      tryLater(parcel);
      return;
    }
    const { switches } = state;
    const made = parcel.make.perform();
    const delivery = {
      ...made,
      url: elsewhere ?? made.url,
      body: switches.tamper ? tamperWith(made.body) : made.body,
    };
    Object.assign(parcel.record, delivery);
    const result = await deliver(delivery, timeoutMs);
    parcel.record.attempts.push({ at: clock.real(), ...result });
    parcel.accepted ||= result.status !== undefined && result.status >= 200 && result.status < 300;
    clearTimeout(timers.get(parcel));
    parcel.due = null;
    if (parcel.accepted) forgetOldest(state.parcels);
    else tryLater(parcel);
    persistence.changedLightly();
  }

  function tryLater(parcel: Parcel): void {
    const delay = delays[parcel.retries];
    if (delay === undefined) return;
    parcel.retries += 1;
    parcel.due = clock.real() + delay;
    wait(parcel, delay);
  }

  function wait(parcel: Parcel, delay: number): void {
    if (stopped) return;
    const timer = setTimeout(() => {
      enqueue(parcel, 1);
    }, delay);
    timers.set(parcel, timer.unref());
  }

  function follow(work: Promise<void>): void {
    const followed = work.finally(() => underWay.delete(followed));
    underWay.add(followed);
  }

  function enqueue(parcel: Parcel, times: number): void {
    // An attempt that was planned for later is replaced.
    clearTimeout(timers.get(parcel));
    timers.delete(parcel);
    parcel.due ??= clock.real();
    const { provider } = parcel.record;
    // The switch of now, because it may change while the parcel waits for others.
    const { wrongEnvironmentUrl } = state.switches;
    const line = (lines.get(provider) ?? Promise.resolve()).then(async () => {
      for (let n = 0; n < times; n += 1) await attempt(parcel, wrongEnvironmentUrl);
    });
    lines.set(provider, line);
    follow(line);
  }

  function release(): void {
    const held = heldBack.reverse();
    heldBack = [];
    for (const parcel of held) enqueue(parcel, state.switches.duplicate ? 2 : 1);
  }

  function start(parcel: Parcel): void {
    const { drop, delayMs, reorder, duplicate } = state.switches;
    if (drop) return;
    parcel.due = clock.real();
    if (reorder) {
      heldBack.push(parcel);
      if (heldBack.length === 1) follow(pause(REORDER_MS).then(release));
    } else if (delayMs > 0) {
      const send = (): void => {
        enqueue(parcel, duplicate ? 2 : 1);
      };
      follow(pause(delayMs).then(send));
    } else enqueue(parcel, duplicate ? 2 : 1);
  }

  async function flush(): Promise<void> {
    while (underWay.size > 0) await Promise.allSettled(underWay);
  }

  return {
    get switches() {
      return state.switches;
    },
    get deliveries() {
      return state.parcels.map(({ record }) => record);
    },
    flush,
    send: (make, { provider, event, id }) => {
      const parcel = newParcel(make, { id, provider, event });
      state.parcels.push(parcel);
      persistence.changed();
      start(parcel);
    },
    retryNow: async () => {
      await flush();
      for (const parcel of state.parcels.filter((p) => !p.accepted && p.record.attempts.length > 0)) {
        enqueue(parcel, 1);
      }
      await flush();
    },
    resend: (id) => {
      const found = state.parcels.filter((p) => p.record.id === id);
      for (const parcel of found) enqueue(parcel, 1);
      return found.length > 0;
    },
    resume: () => {
      const planned = state.parcels.filter((parcel) => parcel.due !== null);
      const inOrder = planned.toSorted((one, other) => (one.due ?? 0) - (other.due ?? 0));
      for (const parcel of inOrder) {
        const delay = (parcel.due ?? 0) - clock.real();
        if (delay > 0) wait(parcel, delay);
        else enqueue(parcel, 1);
      }
    },
    stop: async () => {
      stopped = true;
      for (const timer of timers.values()) clearTimeout(timer);
      await flush();
    },
  };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
