import { deliver, tamperWith } from './deliver';
import type { SimulatorClock, WebhookDelivery, WebhookOutbox, WebhookRecord, WebhookSwitches } from './types';

interface Parcel {
  make: () => WebhookDelivery | Promise<WebhookDelivery>;
  record: WebhookRecord;
  retryTimer: NodeJS.Timeout | undefined;
  retries: number;
  accepted: boolean;
}

export interface OutboxOptions {
  /** Real milliseconds before the second, third … attempt. */
  retryDelaysMs?: readonly number[] | undefined;
  timeoutMs?: number | undefined;
}

export interface RunningOutbox extends WebhookOutbox {
  /** No further attempt begins. */
  stop(): Promise<void>;
}

const RETRY_DELAYS_MS = [1_000, 5_000, 30_000, 120_000, 600_000, 3_600_000];
const TIMEOUT_MS = 30_000;
/** How long a reordered delivery is held, to see whether another one comes. */
const REORDER_MS = 50;

/** Webhooks that are sent until they are accepted, in the order they were made, unless a switch says otherwise. */
export function createOutbox(clock: SimulatorClock, options: OutboxOptions = {}): RunningOutbox {
  const delays = options.retryDelaysMs ?? RETRY_DELAYS_MS;
  const timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
  const switches: WebhookSwitches = {
    duplicate: false,
    reorder: false,
    delayMs: 0,
    drop: false,
    tamper: false,
    wrongEnvironmentUrl: null,
  };
  const parcels: Parcel[] = [];
  const deliveries: WebhookRecord[] = [];
  const underWay = new Set<Promise<void>>();
  const lines = new Map<string, Promise<void>>();
  let heldBack: Parcel[] = [];
  let stopped = false;

  async function attempt(parcel: Parcel): Promise<void> {
    if (stopped) return;
    const made = await parcel.make();
    const delivery = {
      ...made,
      url: switches.wrongEnvironmentUrl ?? made.url,
      body: switches.tamper ? tamperWith(made.body) : made.body,
    };
    Object.assign(parcel.record, delivery);
    const result = await deliver(delivery, timeoutMs);
    parcel.record.attempts.push({ at: clock.real(), ...result });
    parcel.accepted ||= result.status !== undefined && result.status >= 200 && result.status < 300;
    clearTimeout(parcel.retryTimer);
    if (!parcel.accepted) tryLater(parcel);
  }

  function tryLater(parcel: Parcel): void {
    const delay = delays[parcel.retries];
    if (delay === undefined || stopped) return;
    parcel.retries += 1;
    parcel.retryTimer = setTimeout(() => {
      enqueue(parcel, 1);
    }, delay).unref();
  }

  function follow(work: Promise<void>): void {
    const followed = work.finally(() => underWay.delete(followed));
    underWay.add(followed);
  }

  function enqueue(parcel: Parcel, times: number): void {
    const { provider } = parcel.record;
    const line = (lines.get(provider) ?? Promise.resolve()).then(async () => {
      for (let n = 0; n < times; n += 1) await attempt(parcel);
    });
    lines.set(provider, line);
    follow(line);
  }

  function release(): void {
    const held = heldBack.reverse();
    heldBack = [];
    for (const parcel of held) enqueue(parcel, switches.duplicate ? 2 : 1);
  }

  function start(parcel: Parcel): void {
    if (switches.drop) return;
    const { delayMs, reorder, duplicate } = switches;
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
    switches,
    deliveries,
    flush,
    send: (make, { provider, event, id }) => {
      const record: WebhookRecord = {
        id,
        provider,
        event,
        url: '',
        body: Buffer.alloc(0),
        headers: {},
        attempts: [],
      };
      const parcel: Parcel = { make, record, retryTimer: undefined, retries: 0, accepted: false };
      parcels.push(parcel);
      deliveries.push(record);
      start(parcel);
    },
    retryNow: async () => {
      await flush();
      for (const parcel of parcels.filter((p) => !p.accepted && p.record.attempts.length > 0)) {
        clearTimeout(parcel.retryTimer);
        enqueue(parcel, 1);
      }
      await flush();
    },
    resend: (id) => {
      const found = parcels.filter((p) => p.record.id === id);
      for (const parcel of found) enqueue(parcel, 1);
      return found.length > 0;
    },
    stop: async () => {
      stopped = true;
      for (const parcel of parcels) clearTimeout(parcel.retryTimer);
      await flush();
    },
  };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
