import type { Instant } from '../src/domain/instant';
import type { LifecycleStep, LifecycleView } from '../src/domain/lifecycle';
import type { Provider } from '../src/domain/subscription-types';
import type { ProviderRefundRequest, RefundOutcome } from '../src/providers/provider';
import type { CheckoutInput, OperationCommand, RefundInput, SubscriptionInput } from './messages';

/** What the workflow knows of the row: no personal data, because it stands in the history, and JSON only. */
export interface SubscriptionView extends LifecycleView {
  planSlug: string;
  seats: number;
  /** What the next renewal changes to. */
  scheduled: { planSlug: string; seats: number } | null;
  /** How far the workspace's time is ahead of real time (milliseconds). */
  clockOffset: number;
}

/** A step that is due, as the workflow saw it; the activity judges it anew under the row's lock. */
export interface StepRequest extends SubscriptionInput {
  step: LifecycleStep;
  /** The instant that made it due. */
  boundary: Instant;
  /** The workspace's time when the workflow asked. */
  at: Instant;
  /** Names the step for good: a repeated call with it does nothing. */
  key: string;
}

/** A command on a subscription, to be judged at the workspace's time when the workflow came to it. */
export interface OperationRequest extends SubscriptionInput, OperationCommand {
  at: Instant;
}

/** The row after the command; or that a step of time is due first. */
export type OperationAnswer = { kind: 'applied'; view: SubscriptionView | null } | { kind: 'due' };

/** The activities of the queue `billing` for subscriptions. Each is one workspace transaction and may be repeated. */
export interface SubscriptionActivities {
  /** Null when there is no such row, or none whose time this workflow keeps. */
  loadSubscription(input: SubscriptionInput): Promise<SubscriptionView | null>;
  takeStep(request: StepRequest): Promise<SubscriptionView | null>;
  /** Fails, not to be repeated, with the code of a refusal. */
  runOperation(request: OperationRequest): Promise<OperationAnswer>;
}

/** A checkout as its workflow waits for it. */
export interface CheckoutView {
  open: boolean;
  expiresAt: Instant;
  clockOffset: number;
}

export interface CheckoutActivities {
  /** Null when there is no such checkout. */
  loadCheckout(input: CheckoutInput): Promise<CheckoutView | null>;
  /** Expires it, unless something else has closed it. */
  expireCheckout(request: CheckoutInput & { at: Instant }): Promise<CheckoutView | null>;
}

/** A refund as its workflow and the provider need it. */
export interface RefundView extends ProviderRefundRequest {
  provider: Provider;
  status: 'pending' | 'succeeded' | 'failed';
  /** Real time: when the provider is asked again; null once nothing is open. */
  nextWakeAt: Instant | null;
}

interface RefundCompletion extends RefundInput {
  outcome: RefundOutcome;
  /** The command that is waited for; null when the refund went on by itself. */
  command: OperationCommand | null;
}

/** The activities of the queue `billing` for refunds. */
export interface RefundActivities {
  /** Reserves the amount under the payment's lock; null when the command has its answer already. */
  reserveRefund(request: RefundInput & OperationCommand): Promise<RefundView | null>;
  /** Null when there is no such refund. */
  loadRefund(input: RefundInput): Promise<RefundView | null>;
  /** Writes down what the provider said, and answers the row as it is then. */
  completeRefund(request: RefundCompletion): Promise<RefundView | null>;
}

/** A refund on its way to the provider. */
interface ProviderRefund extends RefundInput {
  provider: Provider;
  request: ProviderRefundRequest;
}

/** The activities of the queue `providers`: they wait for somebody else's service. */
export interface ProviderActivities {
  refundAtProvider(request: ProviderRefund): Promise<RefundOutcome>;
}

/** Pokes the workflows of rows that should have woken before an instant; each answers how many. */
export interface SweepActivities {
  pokeOverdueSubscriptions(before: Instant): Promise<number>;
  pokeOverdueCheckouts(before: Instant): Promise<number>;
  pokeOverdueRefunds(before: Instant): Promise<number>;
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
