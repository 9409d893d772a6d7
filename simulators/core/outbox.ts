import {
  deliver,
  tamperWith,
  forgetOldest,
  queuedWebhook,
  noSwitches,
  type QueuedWebhook,
} from './queued-webhook';
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
  // The names of the members are stored.
  const state = { switches: noSwitches(), parcels: new Array<QueuedWebhook>() };
  const timers = new Map<QueuedWebhook, NodeJS.Timeout>();
  const underWay = new Set<Promise<void>>();
  const lines = new Map<string, Promise<void>>();
  let heldBack: QueuedWebhook[] = [];
  let stopped = false;
  persistence.keep('outbox', state);

  /** @param elsewhere the address that replaces the webhook's own, if any */
  async function attempt(webhook: QueuedWebhook, elsewhere: string | null): Promise<void> {
    if (stopped) return;
    // Nothing is sent that a crash could still undo.
    const isStored = await persistence.stored().then(
      () => true,
      () => false,
    );
    if (!isStored) {
      tryLater(webhook);
      return;
    }
    const { switches } = state;
    const made = webhook.make.perform();
    const delivery = {
      ...made,
      url: elsewhere ?? made.url,
      body: switches.tamper ? tamperWith(made.body) : made.body,
    };
    Object.assign(webhook.record, delivery);
    const result = await deliver(delivery, timeoutMs);
    webhook.record.attempts.push({ at: clock.real(), ...result });
    webhook.accepted ||= result.status !== undefined && result.status >= 200 && result.status < 300;
    clearTimeout(timers.get(webhook));
    webhook.due = null;
    if (webhook.accepted) forgetOldest(state.parcels);
    else tryLater(webhook);
    persistence.changedLightly();
  }

  function tryLater(webhook: QueuedWebhook): void {
    const delay = delays[webhook.retries];
    if (delay === undefined) return;
    webhook.retries += 1;
    webhook.due = clock.real() + delay;
    wait(webhook, delay);
  }

  function wait(webhook: QueuedWebhook, delay: number): void {
    if (stopped) return;
    const timer = setTimeout(() => {
      enqueue(webhook, 1);
    }, delay);
    timers.set(webhook, timer.unref());
  }

  function follow(work: Promise<void>): void {
    const followed = work.finally(() => underWay.delete(followed));
    underWay.add(followed);
  }

  function enqueue(webhook: QueuedWebhook, times: number): void {
    // An attempt that was planned for later is replaced.
    clearTimeout(timers.get(webhook));
    timers.delete(webhook);
    webhook.due ??= clock.real();
    const { provider } = webhook.record;
    // The switch of now, because it may change while the webhook waits for others.
    const { wrongEnvironmentUrl } = state.switches;
    const line = (lines.get(provider) ?? Promise.resolve()).then(async () => {
      for (let n = 0; n < times; n += 1) await attempt(webhook, wrongEnvironmentUrl);
    });
    lines.set(provider, line);
    follow(line);
  }

  function release(): void {
    const held = heldBack.reverse();
    heldBack = [];
    for (const webhook of held) enqueue(webhook, state.switches.duplicate ? 2 : 1);
  }

  function start(webhook: QueuedWebhook): void {
    const { drop, delayMs, reorder, duplicate } = state.switches;
    if (drop) return;
    webhook.due = clock.real();
    if (reorder) {
      heldBack.push(webhook);
      if (heldBack.length === 1) follow(pause(REORDER_MS).then(release));
    } else if (delayMs > 0) {
      const send = (): void => {
        enqueue(webhook, duplicate ? 2 : 1);
      };
      follow(pause(delayMs).then(send));
    } else enqueue(webhook, duplicate ? 2 : 1);
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
      const webhook = queuedWebhook(make, { id, provider, event });
      state.parcels.push(webhook);
      persistence.changed();
      start(webhook);
    },
    retryNow: async () => {
      await flush();
      for (const webhook of state.parcels.filter((p) => !p.accepted && p.record.attempts.length > 0)) {
        enqueue(webhook, 1);
      }
      await flush();
    },
    resend: (id) => {
      const found = state.parcels.filter((p) => p.record.id === id);
      for (const webhook of found) enqueue(webhook, 1);
      return found.length > 0;
    },
    resume: () => {
      const planned = state.parcels.filter((webhook) => webhook.due !== null);
      const inOrder = planned.toSorted((one, other) => (one.due ?? 0) - (other.due ?? 0));
      for (const webhook of inOrder) {
        const delay = (webhook.due ?? 0) - clock.real();
        if (delay > 0) wait(webhook, delay);
        else enqueue(webhook, 1);
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
