import type { Instant } from '../src/domain/instant';
import type { LifecycleView } from '../src/domain/lifecycle';
import type { Provider } from '../src/domain/subscription-types';
import type { SubscriptionInput } from './messages';

/** What the workflow knows of the row: no personal data, because it stands in the history. */
export interface SubscriptionView extends LifecycleView {
  provider: Provider;
  planSlug: string;
  seats: number;
  /** How far the workspace's time is ahead of real time (milliseconds). */
  clockOffset: number;
}

/** A step that is due, as the workflow saw it; the activity judges it anew under the row's lock. */
export interface StepRequest extends SubscriptionInput {
  /** The instant that made it due. */
  boundary: Instant;
  /** The workspace's time when the workflow asked. */
  at: Instant;
  /** Names the step for good: a repeated call with it does nothing. */
  key: string;
}

/** The activities of the queue `billing`. Each is one workspace transaction and may be repeated. */
export interface SubscriptionActivities {
  /** Null when there is no such row, or none that this workflow turns. */
  loadSubscription(input: SubscriptionInput): Promise<SubscriptionView | null>;
  turnPeriod(request: StepRequest): Promise<SubscriptionView | null>;
  endTrial(request: StepRequest): Promise<SubscriptionView | null>;
}

export interface SweepActivities {
  /**
   * Pokes the workflows of rows that should have woken before an instant.
   *
   * @returns how many
   */
  pokeOverdueSubscriptions(before: Instant): Promise<number>;
}
