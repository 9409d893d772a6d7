import type { DbTransaction } from '../../db/pools';
import type { Instant } from '../../domain/instant';
import type { BilledSubscription } from '../billed-subscription';
import type { Actor } from '../../tenancy/scope';
import type { OperationKind, OperationRow } from '../../operations/operation-store';

/** What a handler knows about the command that it applies. */
export interface OperationContext {
  operation: OperationRow;
  /** Who sent it; `now` is the workspace's time of the decision, `receivedAt` real time. */
  actor: Actor;
  /** The workspace's time. */
  now: Instant;
  /** Real time, for developer events and audit records. */
  recordedAt: Instant;
}

/** The caller's answer, and the subscription's row after the command. */
export interface OperationOutcome {
  status: number;
  /** Sent as JSON, and stored under the command's key. */
  body: unknown;
  subscription: BilledSubscription;
}

/**
 * Decides and applies one kind of command in the open transaction; a refusal is a TollgateError.
 *
 * @param subscription its row is locked
 */
export type OperationHandler = (
  trx: DbTransaction,
  context: OperationContext,
  subscription: BilledSubscription,
) => Promise<OperationOutcome>;

/** Refunds and checkouts are absent: they call a provider between two transactions, and have workflows of their own. */
export type OperationHandlers = Record<
  Exclude<OperationKind, 'refund' | 'create_checkout'>,
  OperationHandler
>;
