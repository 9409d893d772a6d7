import type { DbTransaction } from '../../db/pools';
import type { Instant } from '../../domain/instant';
import type { BilledSubscription } from '../billed-subscription';
import type { Actor } from '../../tenancy/scope';
import type { OperationKind, OperationRow } from '../../operations/operation-store';

/** An accepted command at the moment it is judged. */
export interface OperationContext {
  operation: OperationRow;
  /** Who sent it; `now` is the workspace's time of the judgement, `receivedAt` real time. */
  actor: Actor;
  /** The workspace's time. */
  now: Instant;
  /** Real time, for developer events and audit records. */
  recordedAt: Instant;
}

/** What the caller is answered, and the row that the act has left. */
export interface OperationOutcome {
  status: number;
  /** Sent as JSON, and stored under the command's key. */
  body: unknown;
  subscription: BilledSubscription;
}

/**
 * Judges and carries out one kind of command in the open transaction; a refusal is a TollgateError.
 *
 * @param subscription its row is locked
 */
export type OperationHandler = (
  trx: DbTransaction,
  context: OperationContext,
  subscription: BilledSubscription,
) => Promise<OperationOutcome>;

/** Refunds and checkouts have steps of their own, because a provider stands between them. */
export type OperationHandlers = Record<
  Exclude<OperationKind, 'refund' | 'create_checkout'>,
  OperationHandler
>;
