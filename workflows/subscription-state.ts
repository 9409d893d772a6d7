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

/** The state of one run of a subscription's workflow. */
export class SubscriptionState {
  /** The row may have changed since it was read. A new run reads it first. */
  wakeRequested = true;
  /** Number of signals received. */
  signals = 0;
  /** A command has changed what the run waits for. */
  fresh = false;
  /** Steps taken one after the other since the run last waited. */
  stepsInARow = 0;
  /** A step was taken, so the history is worth closing. */
  hasTakenStep = false;
  /** Real time; until then, steps due at the provider are not retried. */
  pausedUntil = 0;
  private view: SubscriptionView | null | undefined;

  /** False until the row is read. */
  get loaded(): boolean {
    return this.view !== undefined;
  }

  /** Returns whether the row must be checked again. */
  hasNews(): boolean {
    return this.wakeRequested || this.fresh;
  }

  /** The row as last read; null if there is none. */
  get row(): SubscriptionView | null {
    return this.view ?? null;
  }

  /** Takes over the row from the previous run; no signal has reported a change since. */
  takeOver(view: SubscriptionView): void {
    this.view = view;
    this.wakeRequested = false;
  }

  /** Stores the row as an activity returned it, and updates its search attributes. */
  update(view: SubscriptionView | null): void {
    this.view = view === null ? null : withStepsOfThisRun(view);
    if (view === null) return;
    upsertChanged(this.view ?? view);
  }

  /** Returns the workspace's time: the workflow's own time, plus the clock's offset in a sandbox. */
  now(): Instant {
    return Date.now() + (this.view?.clockOffset ?? 0);
  }

  /** Returns the row's next wake. */
  next(): Wake {
    return this.view ? nextWake(this.view, this.now()) : { kind: 'finished' };
  }

  /** Returns the wake that this workflow waits for. An unpaid subscription's time is kept by its checkout. */
  nextOfOurs(): Wake {
    return this.view?.status === 'incomplete' ? { kind: 'finished' } : this.next();
  }

  /** Returns the real time at which a future step runs. */
  timeOf({ step, at }: Extract<Wake, { kind: 'wait' }>): Instant {
    const delay = step === 'turn_period' ? (this.view?.renewalDelay ?? 0) : 0;
    return at + delay - (this.view?.clockOffset ?? 0);
  }

  /** Returns the time until then (milliseconds, at least 1). */
  waitFor(wake: Extract<Wake, { kind: 'wait' }>): number {
    return Math.max(1, this.timeOf(wake) - Date.now());
  }

  describe(): string {
    return this.view === null || this.view === undefined ? '' : describe(this.view);
  }
}

/** Writes only changed attributes. Attributes survive continue-as-new, so only a change costs anything. */
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
  // Earlier runs wrote only the first two.
  const changed = later.length > 0 && patched('2026-11-plan-and-awaited') ? [...first, ...later] : first;
  if (changed.length > 0) upsertSearchAttributes(changed);
}

/**
 * Drops the past-due readings for a run that began before they existed: a newer version's activities may already return
 * them.
 */
function withStepsOfThisRun(view: SubscriptionView): SubscriptionView {
  if (view.status !== 'past_due' || view.work?.pastDueReadAt === undefined) return view;
  if (patched('2026-11-past-due-reads')) return view;
  return { ...view, work: withoutPastDueReading(view.work) };
}
