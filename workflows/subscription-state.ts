import { patched, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import { awaited } from '../src/domain/awaited';
import type { Instant } from '../src/domain/instant';
import { nextWake, type Wake } from '../src/domain/lifecycle';
import { withoutPastDueReading } from '../src/domain/past-due-reading';
import type { SubscriptionView } from './activity-types';
import { describe } from './details';
import {
  providerKey,
  subscriptionAwaitsKey,
  subscriptionPlanKey,
  subscriptionStatusKey,
} from './search-attributes';

/** What one run of a subscription's workflow knows. */
export class SubscriptionState {
  /** The row may have changed since it was read. A new run reads it first. */
  wakeRequested = true;
  /** A command has changed what the run waits for. */
  fresh = false;
  /** Steps that were taken one after the other, since the run last waited. */
  stepsInARow = 0;
  /** A step was taken, so that the history is worth closing. */
  turned = false;
  /** Real time: before this, what is due at the provider is not tried again. */
  pausedUntil = 0;
  private view: SubscriptionView | null | undefined;

  /** False until the row was read. */
  get loaded(): boolean {
    return this.view !== undefined;
  }

  /** Whether there is something to look at again. */
  hasNews(): boolean {
    return this.wakeRequested || this.fresh;
  }

  /** The row as it was last read; null when there is none. */
  get row(): SubscriptionView | null {
    return this.view ?? null;
  }

  /** Takes the row as the previous run knew it: no signal has said since that it has changed. */
  takeOver(view: SubscriptionView): void {
    this.view = view;
    this.wakeRequested = false;
  }

  /** Takes the row as an activity has left it, and makes its state searchable. */
  update(view: SubscriptionView | null): void {
    this.view = view === null ? null : withStepsOfThisRun(view);
    if (view === null) return;
    upsertChanged(this.view ?? view);
  }

  /** The workspace's time: the workflow's own, and in a sandbox what its clock was advanced by. */
  now(): Instant {
    return Date.now() + (this.view?.clockOffset ?? 0);
  }

  /** The row's next wake. */
  next(): Wake {
    return this.view ? nextWake(this.view, this.now()) : { kind: 'finished' };
  }

  /** What this workflow waits for. The time of a subscription that is not paid yet is its checkout's to keep. */
  nextOfOurs(): Wake {
    return this.view?.status === 'incomplete' ? { kind: 'finished' } : this.next();
  }

  /** Real time: when a step that is not due yet is taken. */
  timeOf({ step, at }: Extract<Wake, { kind: 'wait' }>): Instant {
    const delay = step === 'turn_period' ? (this.view?.renewalDelay ?? 0) : 0;
    return at + delay - (this.view?.clockOffset ?? 0);
  }

  /** How long until then (milliseconds, 1 or more). */
  waitFor(wake: Extract<Wake, { kind: 'wait' }>): number {
    return Math.max(1, this.timeOf(wake) - Date.now());
  }

  describe(): string {
    return this.view === null || this.view === undefined ? '' : describe(this.view);
  }
}

/** Attributes stay over continue-as-new, so only a change costs anything. */
function upsertChanged(view: SubscriptionView): void {
  const { typedSearchAttributes: known } = workflowInfo();
  const isNew = ({ key, value }: { key: typeof providerKey; value: string | null }): boolean =>
    (known.get(key) ?? null) !== value;
  const first = [
    { key: providerKey, value: view.provider },
    { key: subscriptionStatusKey, value: view.status },
  ].filter(isNew);
  const later = [
    { key: subscriptionPlanKey, value: view.planSlug },
    { key: subscriptionAwaitsKey, value: awaited(view) },
  ].filter(isNew);
  // Earlier runs have written the first two alone.
  const changed = later.length > 0 && patched('2026-11-plan-and-awaited') ? [...first, ...later] : first;
  if (changed.length > 0) upsertSearchAttributes(changed);
}

/**
 * A row whose past-due readings are known, as a run of before there were any saw it: activities of a newer version may
 * have answered it already.
 */
function withStepsOfThisRun(view: SubscriptionView): SubscriptionView {
  if (view.status !== 'past_due' || view.work?.pastDueReadAt === undefined) return view;
  if (patched('2026-11-past-due-reads')) return view;
  return { ...view, work: withoutPastDueReading(view.work) };
}
