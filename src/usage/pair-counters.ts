import type { Instant } from '../domain/instant';
import type { ResetInterval } from '../domain/period';
import { addToTally, NOTHING, type Counter, type Tally } from './counter';
import type { CounterKey } from './past-usage-store';
import type { TakenDeduction } from './stored-deduction';
import { findRow, storedTally, type SubscriptionRow } from './subscription-row';
import type { CounterChange } from './usage-write-store';

/** A counter's identity within its pair. */
type PairCounterKey = Pick<Counter, 'subscriptionId' | 'resetInterval' | 'periodStart'>;

/**
 * The counters of one customer and feature, by subscription, interval and start of the usage period: those that were
 * read by key, and those that the batch has changed. All others are as the rows of the subscriptions say.
 */
export class PairCounters {
  private readonly known = new Map<string, Counter>();

  /** @param rows the pair's subscriptions, to which the pair adds others that it reads later */
  constructor(
    private readonly customerId: string | null,
    private readonly featureId: string | null,
    private readonly rows: readonly SubscriptionRow[],
  ) {}

  find(key: PairCounterKey): Counter | undefined {
    return this.known.get(nameOf(key));
  }

  /** @param tally null if nothing was counted in the period */
  add({ subscriptionId, resetInterval, periodStart }: CounterKey, tally: Tally | null): void {
    const was = tally ?? NOTHING;
    const counter = { subscriptionId, resetInterval, periodStart, was, tally: was };
    this.known.set(nameOf(counter), counter);
  }

  /** Counts what a track takes. */
  count(deductions: readonly TakenDeduction[]): void {
    for (const deduction of deductions) {
      const counter = this.counterAt(deduction, deduction.periodStart);
      counter.tally = addToTally(counter.tally, deduction);
      if (deduction.from !== 'rollover') continue;
      const origin = this.counterAt(deduction, deduction.originStart);
      origin.tally = { ...origin.tally, usedLater: origin.tally.usedLater + deduction.quantity };
    }
  }

  /** Returns the key of a usage period's counter, in a list; an empty list if it has been read. */
  unread(subscriptionId: string, resetInterval: ResetInterval, periodStart: Instant): CounterKey[] {
    const { customerId, featureId } = this;
    if (customerId === null || featureId === null) return [];
    if (this.find({ subscriptionId, resetInterval, periodStart }) !== undefined) return [];
    const row = findRow(this.rows, subscriptionId);
    if (row?.resetInterval === resetInterval && row.counterStart === periodStart) return [];
    return [{ customerId, featureId, subscriptionId, resetInterval, periodStart }];
  }

  /** Returns the counters that have changed. */
  changes(): CounterChange[] {
    const { customerId, featureId } = this;
    const changes: CounterChange[] = [];
    if (customerId === null || featureId === null) return changes;
    for (const { tally, ...counter } of this.known.values()) {
      if (tally !== counter.was) changes.push({ customerId, featureId, ...counter, becomes: tally });
    }
    return changes;
  }

  /**
   * Returns the counter to update. The latest one, and those of earlier periods that carry units over, were read with
   * the context.
   */
  private counterAt({ subscriptionId, resetInterval }: TakenDeduction, periodStart: Instant): Counter {
    const name = nameOf({ subscriptionId, resetInterval, periodStart });
    const known = this.known.get(name);
    if (known !== undefined) return known;
    const row = findRow(this.rows, subscriptionId);
    const was = row?.resetInterval === resetInterval ? storedTally(row, periodStart) : NOTHING;
    const counter = { subscriptionId, resetInterval, periodStart, was, tally: was };
    this.known.set(name, counter);
    return counter;
  }
}

/**
 * Returns a string that identifies a counter. It includes the interval: if an entitlement's interval has changed, both
 * may have a period that begins at the same instant.
 */
function nameOf({ subscriptionId, resetInterval, periodStart }: PairCounterKey): string {
  return `${subscriptionId} ${resetInterval} ${periodStart}`;
}
