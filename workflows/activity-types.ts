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

/** What the workflow knows of the row: no personal data, because it stands in the history, and JSON only. */
export interface SubscriptionView extends LifecycleView {
  planSlug: string;
  seats: number;
  /** What the next renewal changes to. */
  scheduled: { planSlug: string; seats: number } | null;
  /** How far the workspace's time is ahead of real time (milliseconds). */
  clockOffset: number;
  /** How long after the end of its period the renewal is taken (milliseconds); left out where it is taken at once. */
  renewalDelay?: number;
}

/** A step that is due, as the workflow saw it; the activity judges it again under the row's lock. */
export interface StepRequest extends SubscriptionInput {
  step: LifecycleStep;
  /** The instant that made it due. */
  boundary: Instant;
  /** The workspace's time when the workflow asked. */
  at: Instant;
  /** Identifies the step: a repeated call with it does nothing. */
  key: string;
}

/** A command on a subscription, to be judged at the workspace's time when the workflow came to it. */
export interface OperationRequest extends SubscriptionInput, OperationCommand {
  at: Instant;
}

/** The row after the command; or that a step of time is due first; or that the payment provider is to be asked. */
export type OperationAnswer =
  | { kind: 'applied'; view: SubscriptionView | null }
  | { kind: 'due' }
  | { kind: 'claimed' };

/** The activities of the queue `billing` for subscriptions. Each is one workspace transaction and may be repeated. */
export interface SubscriptionActivities {
  /** Null when there is no such row, or none whose time this workflow keeps. */
  loadSubscription(input: SubscriptionInput): Promise<SubscriptionView | null>;
  takeStep(request: StepRequest): Promise<SubscriptionView | null>;
  /** Fails, not to be repeated, with the code of a refusal. */
  runOperation(request: OperationRequest): Promise<OperationAnswer>;
}

/** A provider step, as the workflow saw it. */
export interface ProviderStepRequest extends SubscriptionInput {
  step: ProviderStep;
  boundary: Instant;
  at: Instant;
  key: string;
}

/** The row after the provider was asked for a command; while its outcome is not known, it is `pending`. */
export type ProviderAnswer =
  | { kind: 'applied' | 'pending'; view: SubscriptionView | null }
  | { kind: 'unclaimed' };

/**
 * The activities of the queue `providers` for subscriptions: each reads the row, asks the provider and writes down what
 * it said, so that nothing of it passes through a history. They may be repeated.
 */
export interface ProviderSubscriptionActivities {
  takeProviderStep(request: ProviderStepRequest): Promise<SubscriptionView | null>;
  runAtProvider(request: OperationRequest): Promise<ProviderAnswer>;
}

/** A checkout as its workflow waits for it. */
export interface CheckoutView {
  open: boolean;
  expiresAt: Instant;
  clockOffset: number;
  /** What is to be done at the payment provider, and when (the workspace's time); left out in local billing. */
  atProvider?: { task: 'create' | 'settle'; at: Instant } | null;
}

export interface CheckoutActivities {
  /** Null when there is no such checkout. */
  loadCheckout(input: CheckoutInput): Promise<CheckoutView | null>;
  /** Expires it, unless something else has closed it. */
  expireCheckout(request: CheckoutInput & { at: Instant }): Promise<CheckoutView | null>;
  /** Writes down what an operation asks a provider to offer; a refusal stands in the operation's row. */
  reserveCheckout(request: CheckoutInput & { operationId: string }): Promise<CheckoutView | null>;
}

/**
 * The activities of the queue `providers` for checkouts: each reads the row, asks the provider and writes down what it
 * said, so that nothing of it passes through a history. They may be repeated.
 */
export interface ProviderCheckoutActivities {
  /** Has the checkout made, and answers its operation. */
  createCheckoutAtProvider(input: CheckoutInput): Promise<CheckoutView | null>;
  /** Reads it back, and ends it there where it is over or given up. */
  settleCheckoutAtProvider(request: CheckoutInput & { givenUp: boolean }): Promise<CheckoutView | null>;
}

/** A refund as its workflow needs it: whom to ask, and whether to ask again. */
export interface RefundView {
  refundId: string;
  paymentId: string;
  provider: Provider;
  status: 'pending' | 'succeeded' | 'failed';
  /** Real time: when the provider is asked again; null once nothing is open. */
  nextWakeAt: Instant | null;
}

interface RefundCompletion extends RefundInput {
  outcome: RefundAnswer;
  /** The command that is waited for; null when the refund went on by itself. */
  command: OperationCommand | null;
}

/** The activities of the queue `billing` for refunds. */
export interface RefundActivities {
  /** Reserves the amount under the payment's lock; null when the command has its answer already. */
  reserveRefund(request: RefundInput & OperationCommand): Promise<RefundView | null>;
  /** Null when there is no such refund. */
  loadRefund(input: RefundInput): Promise<RefundView | null>;
  /** Records that the outcome is unknown, unless an outcome is stored, and answers the row as it is then. */
  completeRefund(request: RefundCompletion): Promise<RefundView | null>;
}

/** The activities of the queue `providers`: they call payment providers. */
export interface ProviderActivities {
  /** Asks the provider and writes its answer down, with the provider's name of the refund. */
  refundAtProvider(input: RefundInput): Promise<RefundAnswer>;
}

/** Signal the workflows of the rows of an environment that should have woken before an instant; return their number. */
export interface SweepActivities {
  pokeOverdueSubscriptions(before: Instant, environment?: Environment): Promise<number>;
  pokeOverdueCheckouts(before: Instant, environment?: Environment): Promise<number>;
  pokeOverdueRefunds(before: Instant, environment?: Environment): Promise<number>;
  pokeOverdueErasures(before: Instant, environment?: Environment): Promise<number>;
}

/** Erases a customer. */
export interface ErasureActivities {
  /** Blanks the next rows, for some seconds; how far it has come stands in the row. It may be repeated. */
  eraseNext(input: ErasureInput): Promise<ErasureView>;
}

/** Recomputes when the subscriptions of a workspace wake. */
export interface RescheduleActivities {
  /** The next ones after one of them; `after` is null when there are no more. It may be repeated. */
  rescheduleSubscriptions(
    part: WorkspaceInput & { after: string },
  ): Promise<{ after: string | null; moved: number }>;
}

/** Which connection is asked for its settlements. */
export interface SettlementConnection {
  workspaceId: string;
  environment: Environment;
  connectionId: string;
}

/** The activities of the queue `billing` for settlements. */
export interface SettlementActivities {
  /** The next connections after one of them, of one environment or both; `after` is null when there are no more. */
  listSettlementConnections(request: {
    after: string;
    environment?: Environment;
  }): Promise<{ connections: SettlementConnection[]; after: string | null }>;
}

/** The activities of the queue `providers` for settlements. */
export interface ProviderSettlementActivities {
  /** Fails when the provider could not be asked; what it settled stands in Postgres, and not here. */
  collectSettlements(connection: SettlementConnection): Promise<{ recorded: number; changed: number }>;
}

/** The activities of the queue `providers` for the daily report of drift. */
export interface DriftReportActivities {
  /**
   * Compares the next subscriptions of a connection with its provider's, and tells of what is new by developer events;
   * the history holds ids and counts only. `after` is null when there are no more.
   */
  reportDrift(
    part: SettlementConnection & { after: string | null },
  ): Promise<{ after: string | null; compared: number; found: number; gone: number; unread: number }>;
}

/** One piece of the migration of credentials: ids and counts, and nothing of what is migrated. */
export interface CredentialMigrationActivities {
  /** The next connections after one of them; `after` is null when there are no more. */
  migrateCredentials(request: {
    migrationId: string;
    after: string;
  }): Promise<{ after: string | null; looked: number; skipped: number }>;
  endCredentialMigration(request: { migrationId: string; skipped: number }): Promise<void>;
}
