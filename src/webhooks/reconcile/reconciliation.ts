import type { DbTransaction } from '../../db/pools';
import type { Instant } from '../../domain/instant';
import type {
  CanonicalEvent,
  PaymentFacts,
  RefundFacts,
  SettlementFacts,
  SubscriptionFacts,
} from '../../providers/canonical-event';
import type { ConnectionRef } from '../../connections/connection-ref';
import type { WebhookChange } from '../webhook-store';
import type { Reference, Targets } from '../../connections/reference-store';

/** What the provider says now of what an event is about, and what was here when it was asked. */
export interface CurrentFacts {
  /** Whether the provider was asked: an event alone may be old. */
  asked: boolean;
  subscription: SubscriptionFacts | null;
  payment: PaymentFacts | null;
  /** Those that the event is about; or all of a payment, where the provider's events do not say which. */
  refunds: RefundFacts[];
  /** The payout that the event is about, where the provider was asked for it. */
  settlement?: SettlementFacts | null;
  /** Our subscription and the version of its row, read before the provider was asked. */
  seen: { subscriptionId: string; version: bigint } | null;
}

/** A reconciliation under way, in one open transaction. */
export interface Reconciliation {
  trx: DbTransaction;
  connection: ConnectionRef;
  event: CanonicalEvent;
  current: CurrentFacts;
  targets: Targets;
  /** The workspace's time. */
  now: Instant;
  /** Real time. */
  recordedAt: Instant;
  changes: WebhookChange[];
  /** What was not done, and why; sentences. */
  notes: string[];
  /** References that are known from now on. */
  learnt: Reference[];
}

/** What a reading is called in place of an event's type. */
export const READ_BACK = 'read_back';

/** The row has changed since the provider was asked: what it said may be older than what stands here. */
export class StaleFacts extends Error {}

/** Notes each member that differs. */
export function noteChanges<Row extends object>(
  changes: WebhookChange[],
  target: string,
  before: Row | null,
  after: Row,
): void {
  for (const field of Object.keys(after) as (keyof Row & string)[]) {
    const [from, to] = [asText(before?.[field]), asText(after[field])];
    if (from !== to) changes.push({ target, field, from, to });
  }
}

function asText(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return value;
  return typeof value === 'bigint' ? value.toString() : JSON.stringify(value);
}

/** An instant as a change shows it. */
export function timeText(instant: Instant | null): string | null {
  return instant === null ? null : new Date(instant).toISOString();
}
