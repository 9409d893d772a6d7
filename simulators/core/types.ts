import type { NamedCall } from './named-call';
import type { Persistence } from './persistence';

/** The simulated providers: A for cards and subscriptions, B a wallet, C a regional processor. */
export type ProviderName = 'a' | 'b' | 'c';

/** The simulators' clock: it runs with real time and can be moved ahead. Epoch milliseconds. */
export interface SimulatorClock {
  now(): number;
  /** Real time, used for signatures and the lifetimes of idempotency keys. */
  real(): number;
  /**
   * Moves ahead, and performs calls that fall due on the way, in order, each at its own instant.
   * @throws RangeError when `instant` is in the past
   */
  advanceTo(instant: number): Promise<void>;
  /** Schedules a call. The returned object can be stored with the object it belongs to. */
  at(instant: number, what: NamedCall<Promise<void> | void>): { cancel(): void };
}

export interface WebhookDelivery {
  url: string;
  headers: Record<string, string>;
  body: Buffer;
}

export interface WebhookSwitches {
  /** Sends each delivery twice. */
  duplicate: boolean;
  /** Deliveries sent within a moment arrive in reverse order. */
  reorder: boolean;
  delayMs: number;
  drop: boolean;
  /** Changes one byte of the body after signing. */
  tamper: boolean;
  /** Sends everything to this address instead of its own. */
  wrongEnvironmentUrl: string | null;
}

interface WebhookAttempt {
  at: number;
  status?: number | undefined;
  error?: string;
}

export interface WebhookRecord {
  id: string;
  provider: ProviderName;
  event: string;
  url: string;
  body: Buffer;
  headers: Record<string, string>;
  attempts: WebhookAttempt[];
}

export interface WebhookOutbox {
  /**
   * Sends in the background, in order per provider, and retries until it is accepted. `make` is called for each attempt
   * (a signature has a timestamp), and returns the same body each time.
   */
  send(
    make: NamedCall<WebhookDelivery>,
    options: { provider: ProviderName; event: string; id: string },
  ): void;
  switches: WebhookSwitches;
  /** In the order they were created; of the accepted ones, the latest 200. */
  readonly deliveries: readonly WebhookRecord[];
  /** Resolves when no attempt is in progress, held or delayed. Waiting for the next attempt is not in progress. */
  flush(): Promise<void>;
  /** Immediately retries deliveries that wait for their next attempt or were given up. */
  retryNow(): Promise<void>;
  /** Sends the delivery with this id again. False if there is none. */
  resend(id: string): boolean;
}

/** What a request meets besides `none`: see `meetFaults`. */
export const FAULTS = [
  'answer_429',
  'answer_500',
  'answer_page',
  'answer_stale',
  'cut_after_commit',
  'cut_answer',
  'slow',
] as const;

export type Fault = 'none' | (typeof FAULTS)[number];

export interface FaultRule {
  provider: ProviderName;
  /** Prefix of the request's path. */
  path: string;
  fault: Fault;
  /** How many requests it applies to; without a number, all until the rule is cleared. */
  times?: number | undefined;
  /** How long `slow` waits before it answers. */
  delayMs?: number | undefined;
}

export interface Faults {
  /** Returns the fault for the next request to this path; counts as that request. */
  next(provider: ProviderName, path: string): Fault;
  set(rule: FaultRule): void;
  clear(): void;
  /** How long a slow answer waits. */
  readonly slowMs: number;
}

export interface SimulatorCore {
  clock: SimulatorClock;
  outbox: WebhookOutbox;
  faults: Faults;
  persistence: Persistence;
}
