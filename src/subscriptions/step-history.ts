import { together, type Call } from '../db/calls';
import type { DbTransaction } from '../db/pools';
import type { ChangeKind } from '../domain/announced-facts';
import type { Instant } from '../domain/instant';
import { displayPlan } from '../domain/display-text';
import type { WorkspaceScope } from '../tenancy/actor';
import { eventDataOf, type BilledSubscription, type ScheduledChange } from './billed-subscription';
import { subscriptionEventCalls } from './subscription-history-store';

/** A time step in progress. */
export interface StepUnderWay {
  /** The instant that made it due, and at which it takes effect however late it runs; workspace's time. */
  boundary: Instant;
  /** The workspace's time. */
  at: Instant;
  /** Identifies the step. */
  key: string;
  /** Real time. */
  recordedAt: Instant;
}

/** Result of a step, for the history and the developer events. */
export interface StepOutcome {
  /** In the past tense: `period_turned`. */
  kind: ChangeKind;
  /** A sentence for people. */
  message: string;
  data?: Readonly<Record<string, unknown>>;
}

/** Records the outcome as of the step's boundary. */
export async function recordStep(
  trx: DbTransaction,
  scope: WorkspaceScope,
  after: BilledSubscription,
  step: StepUnderWay,
  outcome: StepOutcome,
): Promise<void> {
  await together(trx, stepCalls(scope, after, step, outcome));
}

/** Builds the calls of `recordStep`. */
export function stepCalls(
  scope: WorkspaceScope,
  after: BilledSubscription,
  { boundary, key, recordedAt }: StepUnderWay,
  { kind, message, data = {} }: StepOutcome,
): Call<void>[] {
  const entry = {
    subscriptionId: after.id,
    kind,
    type: 'SUBSCRIPTION_CHANGED',
    status: 'OK',
    message,
    source: 'billing',
    data: {
      changeId: key,
      ...eventDataOf(after),
      currentPeriodStart: new Date(after.currentPeriodStart).toISOString(),
      currentPeriodEnd: new Date(after.currentPeriodEnd).toISOString(),
      ...data,
    },
  } as const;
  return subscriptionEventCalls(scope, entry, { happenedAt: boundary, recordedAt });
}

/** Records that a scheduled change took effect with the renewal. */
export function appliedChangeCalls(
  scope: WorkspaceScope,
  change: { before: BilledSubscription; scheduled: ScheduledChange; after: BilledSubscription },
  step: StepUnderWay,
): Call<void>[] {
  const { before, scheduled, after } = change;
  return stepCalls(scope, after, step, {
    kind: 'scheduled_change_applied',
    message: `${after.externalId} changed from ${displayPlan(before)} to ${displayPlan(after)}, as scheduled.`,
    data: {
      before: {
        planId: before.planId,
        plan: before.planSlug,
        seats: before.seats,
        interval: before.interval,
      },
      after: { planId: after.planId, plan: after.planSlug, seats: after.seats, interval: after.interval },
      requestedAt: new Date(scheduled.requestedAt).toISOString(),
    },
  });
}
