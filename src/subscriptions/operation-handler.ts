import type { Times } from '../clock/times';
import type { DbTransaction } from '../db/pools';
import type { Instant } from '../domain/instant';
import type { ProviderCall, ProviderIntent } from '../domain/provider-work';
import type { SubscriptionFacts } from '../providers/canonical-event';
import type { Outcome } from '../providers/outcome';
import type { BilledSubscription } from './billed-subscription';
import type { SubscriptionRow } from './subscription-store';
import type { Actor } from '../tenancy/actor';
import type { OperationKind, OperationRow } from '../operations/operation-store';

/** A command's intent, and the provider calls it needs. */
export interface PreparedCommand {
  intent: ProviderIntent;
  calls: ProviderCall[];
}

/** The outcomes by which the provider has carried the command out or asked its customer to confirm it. */
export type AcceptedOutcome = Exclude<
  Outcome<SubscriptionFacts>,
  { kind: 'declined' | 'unsupported' | 'unknown' }
>;

export interface AcceptedRepair {
  intent: Extract<ProviderIntent, { kind: 'repair' }>;
  outcome: AcceptedOutcome;
}

/** What a handler receives about the command it applies. */
export interface OperationContext extends Times {
  operation: OperationRow;
  /** The actor that sent it; `now` is the workspace's time of the decision, `receivedAt` real time. */
  actor: Actor;
}

/** The caller's answer, and the subscription's row after the command. */
export interface OperationOutcome {
  status: number;
  /** Sent as JSON, and stored under the command's key. */
  body: unknown;
  subscription: BilledSubscription;
}

/** A subscription whose row the open transaction has locked. */
export interface LockedSubscription extends SubscriptionRow {
  /** When each of its unpaid transactions makes it past due. */
  openDueAts: readonly Instant[];
}

/** Decides and applies one kind of command in the open transaction; a refusal is a TollgateError. */
export type OperationHandler = (
  trx: DbTransaction,
  context: OperationContext,
  subscription: LockedSubscription,
) => Promise<OperationOutcome>;

/** A repair compares the row with the provider, so it has its own steps around the provider calls. */
export interface RepairHandler {
  /** A repair that does not involve the provider. */
  run: OperationHandler;
  /** Returns the calls to make; null if there are none and `run` applies. */
  prepare(
    trx: DbTransaction,
    context: OperationContext,
    subscription: BilledSubscription,
  ): Promise<PreparedCommand | null>;
  /** Applies the outcome of the calls. */
  apply(
    trx: DbTransaction,
    context: OperationContext,
    subscription: BilledSubscription,
    accepted: AcceptedRepair,
  ): Promise<OperationOutcome>;
}

/** Refunds and checkouts are absent: they call a provider between two transactions, and have workflows of their own. */
export type OperationHandlers = Record<
  Exclude<OperationKind, 'refund' | 'create_checkout' | 'repair'>,
  OperationHandler
> & { repair: RepairHandler };

/** Returns the handler of a command that does not involve a provider. */
export function handlerOf(handlers: OperationHandlers, kind: keyof OperationHandlers): OperationHandler {
  return kind === 'repair' ? handlers.repair.run : handlers[kind];
}
