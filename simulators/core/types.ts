import type { NamedCall } from './named-call';
import type { Persistence } from './persistence';

/** The providers that are simulated: A cards and subscriptions, B a wallet, C a regional processor. */
export type ProviderName = 'a' | 'b' | 'c';

/** The simulators' clock: it runs with real time, and can be moved ahead. Epoch milliseconds. */
export interface SimulatorClock {
  now(): number;
  /** Real time, which signatures and the lives of idempotency keys go by. */
  real(): number;
  /**
   * Moves ahead, and runs what falls due on the way, in order, each at its own instant.
   * @throws RangeError when `instant` lies in the past
   */
  advanceTo(instant: number): Promise<void>;
  /** What it returns can be stored beside what it belongs to. */
  at(instant: number, what: NamedCall<Promise<void> | void>): { cancel(): void };
}

export interface WebhookDelivery {
  url: string;
  headers: Record<string, string>;
  body: Buffer;
}

export interface WebhookSwitches {
  /** Each delivery is sent twice. */
  duplicate: boolean;
  /** What is sent within a moment arrives last first. */
  reorder: boolean;
  delayMs: number;
  drop: boolean;
  /** One byte of the body is changed after it was signed. */
  tamper: boolean;
  /** Everything goes to this address instead of its own. */
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
   * Sends in the background, in order per provider, and again when it is not accepted. `make` is called for each
   * attempt (a signature has a time), and gives the same body each time.
   */
  send(
    make: NamedCall<WebhookDelivery>,
    options: { provider: ProviderName; event: string; id: string },
  ): void;
  switches: WebhookSwitches;
  /** In the order they were made; of those that were accepted, the latest 200. */
  readonly deliveries: readonly WebhookRecord[];
  /** Resolves when no attempt is under way, held or delayed. What waits for its next attempt is not under way. */
  flush(): Promise<void>;
  /** Tries now what waits for its next attempt, and what was given up. */
  retryNow(): Promise<void>;
  /** Sends a delivery with this id once more. False when there is none. */
  resend(id: string): boolean;
}

export type Fault = 'none' | 'cut_after_commit' | 'answer_500' | 'slow';

export interface FaultRule {
  provider: ProviderName;
  /** The request's path begins with this. */
  path: string;
  fault: Fault;
  /** How many requests it meets; without a number, all until the rule is cleared. */
  times?: number | undefined;
  /** How long `slow` waits before it answers. */
  delayMs?: number | undefined;
}

export interface Faults {
  /** Which fault the next request to this path meets; counts as that request. */
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
