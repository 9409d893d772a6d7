import type { Environment } from '../src/domain/environment';
import type { ErasureView } from '../src/domain/erasure';
import type { Instant } from '../src/domain/instant';
import type { LifecycleStep, LifecycleView, ProviderStep } from '../src/domain/lifecycle';
import type { RefundAnswer } from '../src/payments/refund-outcome';
import type {
  CheckoutInput,
  ErasureInput,
  OperationCommand,
  RefundInput,
  SubscriptionInput,
  WorkspaceInput,
} from './messages';
import type { Provider } from '../src/domain/provider';
import type { RefundStatus } from '../src/domain/refund';

/** The workflow's view of the row. It is stored in the history, so it is JSON and holds no personal data. */
export interface SubscriptionView extends LifecycleView {
  planSlug: string;
  seats: number;
  /** The change due at the next renewal. */
  scheduled: { planSlug: string; seats: number } | null;
  /** How far the workspace's time is ahead of real time (milliseconds). */
  clockOffset: number;
  /** How long after the end of its period the renewal runs (milliseconds); left out if it runs at once. */
  renewalDelay?: number;
}

/** A due step as the workflow saw it; the activity checks it again under the row's lock. */
export interface StepRequest extends SubscriptionInput {
  step: LifecycleStep;
  /** The instant that made it due. */
  boundary: Instant;
  /** The workspace's time when the workflow asked. */
  at: Instant;
  /** Identifies the step: repeating a call with the same key does nothing. */
  key: string;
}

/** A command on a subscription, to be judged at the workspace's time when the workflow reached it. */
export interface OperationRequest extends SubscriptionInput, OperationCommand {
  at: Instant;
}

/**
 * `applied`: the row after the command; `due`: a time step must run first; `claimed`: the payment provider must be
 * called.
 */
export type OperationAnswer =
  | { kind: 'applied'; view: SubscriptionView | null }
  | { kind: 'due' }
  | { kind: 'claimed' };

/** The subscription activities of the queue `billing`. Each is one workspace transaction and may be repeated. */
export interface SubscriptionActivities {
  /** Reads the row; null if there is none, or if this workflow does not keep its time. */
  loadSubscription(input: SubscriptionInput): Promise<SubscriptionView | null>;
  takeStep(request: StepRequest): Promise<SubscriptionView | null>;
  /** Runs a command. A refusal fails the activity without retry, with the refusal's code. */
  runOperation(request: OperationRequest): Promise<OperationAnswer>;
}

/** A provider step, as the workflow saw it. */
export interface ProviderStepRequest extends SubscriptionInput {
  step: ProviderStep;
  boundary: Instant;
  at: Instant;
  key: string;
}

/** The row after the provider was called for a command; `pending` while the outcome is unknown. */
export type ProviderAnswer =
  | { kind: 'applied' | 'pending'; view: SubscriptionView | null }
  | { kind: 'unclaimed' };

/**
 * The subscription activities of the queue `providers`: each reads the row, calls the provider and stores the result,
 * so that no provider data enters a history. They may be repeated.
 */
export interface ProviderSubscriptionActivities {
  takeProviderStep(request: ProviderStepRequest): Promise<SubscriptionView | null>;
  runAtProvider(request: OperationRequest): Promise<ProviderAnswer>;
}

/** A checkout as seen by its workflow. */
export interface CheckoutView {
  open: boolean;
  expiresAt: Instant;
  clockOffset: number;
  /** What to do at the payment provider and when (the workspace's time); left out in local billing. */
  atProvider?: { task: 'create' | 'settle'; at: Instant } | null;
}

export interface CheckoutActivities {
  /** Reads the checkout; null if there is none. */
  loadCheckout(input: CheckoutInput): Promise<CheckoutView | null>;
  /** Expires the checkout, unless something else has closed it. */
  expireCheckout(request: CheckoutInput & { at: Instant }): Promise<CheckoutView | null>;
  /**
   * Records what an operation asks a provider to offer; a refusal is stored in the operation's row.
   *
   * @param request.attempt omitted by earlier runs
   */
  reserveCheckout(
    request: CheckoutInput & { operationId: string; attempt?: string },
  ): Promise<CheckoutView | null>;
}

/**
 * The checkout activities of the queue `providers`: each reads the row, calls the provider and stores the result, so
 * that no provider data enters a history. They may be repeated.
 */
export interface ProviderCheckoutActivities {
  /** Creates the checkout at the provider and answers its operation. */
  createCheckoutAtProvider(input: CheckoutInput): Promise<CheckoutView | null>;
  /** Reads the checkout at the provider, and ends it there if it is over or given up. */
  settleCheckoutAtProvider(request: CheckoutInput & { givenUp: boolean }): Promise<CheckoutView | null>;
}

/** A refund as its workflow needs it. */
export interface RefundView {
  refundId: string;
  paymentId: string;
  provider: Provider;
  status: RefundStatus;
  /** Real time at which to ask the provider again; null once nothing is open. */
  nextWakeAt: Instant | null;
}

interface RefundCompletion extends RefundInput {
  outcome: RefundAnswer;
  /** The command waiting for the outcome; null if the refund continued without one. */
  command: OperationCommand | null;
}

/** The activities of the queue `billing` for refunds. */
export interface RefundActivities {
  /** Reserves the amount under the payment's lock; null if the command already has its answer. */
  reserveRefund(request: RefundInput & OperationCommand): Promise<RefundView | null>;
  /** Reads the refund; null if there is none. */
  loadRefund(input: RefundInput): Promise<RefundView | null>;
  /** Records that the outcome is unknown, unless an outcome is stored, and returns the row as it is then. */
  completeRefund(request: RefundCompletion): Promise<RefundView | null>;
}

/** The activities of the queue `providers`: they call payment providers. */
export interface ProviderActivities {
  /** Requests the refund at the provider and stores the answer, with the provider's id of the refund. */
  refundAtProvider(input: RefundInput): Promise<RefundAnswer>;
}

/**
 * Activities that signal the workflows of an environment's rows overdue to wake by an instant. Each returns how many it
 * signalled.
 */
export interface SweepActivities {
  pokeOverdueSubscriptions(before: Instant, environment?: Environment): Promise<number>;
  pokeOverdueCheckouts(before: Instant, environment?: Environment): Promise<number>;
  pokeOverdueRefunds(before: Instant, environment?: Environment): Promise<number>;
  pokeOverdueErasures(before: Instant, environment?: Environment): Promise<number>;
}

/** Erases a customer. */
export interface ErasureActivities {
  /** Blanks the next rows, for some seconds. Progress is stored in the row. It may be repeated. */
  eraseNext(input: ErasureInput): Promise<ErasureView>;
}

/** Recomputes when a workspace's subscriptions wake. */
export interface RescheduleActivities {
  /** Processes the batch after a subscription; `after` is null at the end. It may be repeated. */
  rescheduleSubscriptions(
    part: WorkspaceInput & { after: string },
  ): Promise<{ after: string | null; moved: number }>;
}

/** A connection whose provider is asked. */
export interface SettlementConnection {
  workspaceId: string;
  environment: Environment;
  connectionId: string;
}

/** The activities of the queue `billing` for settlements. */
export interface SettlementActivities {
  /** Lists the connections after one of them, of one environment or both; `after` is null at the end. */
  listSettlementConnections(request: {
    after: string;
    environment?: Environment;
  }): Promise<{ connections: SettlementConnection[]; after: string | null }>;
}

/** The activities of the queue `providers` for settlements. */
export interface ProviderSettlementActivities {
  /** Fails if the provider could not be asked. Settlements are stored in Postgres, not in the history. */
  collectSettlements(connection: SettlementConnection): Promise<{ recorded: number; changed: number }>;
}

/** The activities of the queue `providers` for the daily report of drift. */
export interface DriftReportActivities {
  /**
   * Compares a connection's next subscriptions with its provider, and reports new differences as developer events; the
   * history holds ids and counts only. `after` is null at the end.
   */
  reportDrift(
    part: SettlementConnection & { after: string | null },
  ): Promise<{ after: string | null; compared: number; found: number; gone: number; unread: number }>;
}

/** One part of the credential migration: ids and counts only, nothing of what is migrated. */
export interface CredentialMigrationActivities {
  /** Processes the connections after one of them; `after` is null at the end. */
  migrateCredentials(request: {
    migrationId: string;
    after: string;
  }): Promise<{ after: string | null; looked: number; skipped: number }>;
  endCredentialMigration(request: { migrationId: string; skipped: number }): Promise<void>;
}
