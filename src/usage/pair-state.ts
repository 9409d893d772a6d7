import type { AccessQuestion, Deduction } from '../domain/access';
import type { Instant } from '../domain/instant';
import { usagePeriod, type Period, type ResetInterval } from '../domain/period';
import { accessStatusOf, accessStatusThen, type PastDuePolicy } from '../domain/subscription';
import { addToTally, countedSource, NOTHING, type CountedSource, type Tally } from './counted-source';
import type { EntitledRow } from './entitled-row-store';
import { heldOf, withHeld, type HeldReservation } from './held-units';
import type { CounterKey, EndedRow } from './past-usage-store';
import type { TakenDeduction } from './stored-deduction';
import type { ContextRow } from './usage-context-store';
import type { CounterChange } from './usage-write-store';

/** The entitlements that decide about a use, and the best access status of the customer at that time. */
export interface Sources {
  accessStatus: AccessQuestion['accessStatus'];
  sources: CountedSource[];
}

/** A counter as it was read and as it is to be. */
interface CountedPeriod {
  subscriptionId: string;
  resetInterval: ResetInterval;
  periodStart: Instant;
  was: Tally;
  tally: Tally;
}

type SubscriptionRow = EntitledRow & { entitlementId: string | null; cancelledAt?: Instant | null };

/**
 * What a batch knows about one customer and feature. Balances are those of usage periods: the current one of each
 * subscription, and those earlier ones that uses of the batch fall into. They are read once and moved by each granted
 * track, so that the next call of the batch sees what the one before it left.
 */
export class PairState {
  readonly customerId: string | null;
  readonly featureId: string | null;
  readonly feature: { key: string; kind: 'metered' | 'boolean' } | null;
  /** At the time of the decision. */
  readonly now: Sources = { accessStatus: 'none', sources: [] };
  /** What reservations hold of the feature when the batch begins. */
  private readonly held: readonly Deduction[];
  /** Of usage periods that are not the current ones. */
  private readonly others: CountedSource[] = [];
  private readonly subscriptions: SubscriptionRow[] = [];
  /** What was counted for usage periods that no source is of. */
  private readonly counted = new Map<string, CountedPeriod>();
  /** Counters that were read by their key, by subscription and start; null where nothing was counted. */
  private readonly counters = new Map<string, Tally | null>();

  constructor(
    featureKey: string,
    rows: readonly ContextRow[],
    private readonly policy: PastDuePolicy,
    private readonly decidedAt: Instant,
    held: readonly HeldReservation[],
  ) {
    const first = rows[0];
    this.customerId = first?.customerId ?? null;
    this.featureId = first?.featureId ?? null;
    this.feature =
      first === undefined || first.featureKind === null ? null : { key: featureKey, kind: first.featureKind };
    this.held = held.length === 0 ? [] : heldOf(held, this.featureId);
    for (const row of rows) {
      if (row.subscriptionId === null) continue;
      this.subscriptions.push(row);
      this.add(this.now, accessStatusOf(row, policy, decidedAt), row, row.entitlementId, decidedAt);
    }
  }

  /** Whether what may have ended since has to be read: no subscription that is open gave access at `at`. */
  asksForEnded(at: Instant): boolean {
    const gaveAccess = (row: SubscriptionRow): boolean => accessStatusThen(row, this.policy, at) === 'active';
    return this.customerId !== null && at < this.decidedAt && !this.subscriptions.some(gaveAccess);
  }

  /** Whether the latest counter of a subscription is of a usage period that has not begun. */
  hasLaterCounter(): boolean {
    return this.now.sources.some(({ subscriptionId, period }) => {
      const row = this.subscriptions.find((one) => one.subscriptionId === subscriptionId);
      return row !== undefined && row.counterStart !== null && row.counterStart > period.start;
    });
  }

  addEnded(rows: readonly EndedRow[]): void {
    this.subscriptions.push(...rows);
  }

  /** The counters that a use at `at` needs and that have not been read: the latest is of a later period. */
  unread(at: Instant): CounterKey[] {
    const { customerId, featureId } = this;
    if (customerId === null || featureId === null) return [];
    return this.granting(at).flatMap((row) => {
      const { start } = usagePeriod(row, row.resetInterval, at);
      if (row.counterStart === null || row.counterStart <= start) return [];
      const { subscriptionId, resetInterval } = row;
      if (this.counters.has(counterName(subscriptionId, start))) return [];
      return [{ customerId, featureId, subscriptionId, resetInterval, periodStart: start }];
    });
  }

  /** @param tally null where nothing was counted in the period */
  addCounter({ subscriptionId, periodStart }: CounterKey, tally: Tally | null): void {
    this.counters.set(counterName(subscriptionId, periodStart), tally);
    const known = this.now.sources.findIndex((one) => isOf(one, subscriptionId, periodStart));
    const row = this.subscriptions.find((one) => one.subscriptionId === subscriptionId);
    if (known !== -1 && row !== undefined)
      this.now.sources[known] = withHeld(countedSource(row, this.decidedAt, tally ?? undefined), this.held);
  }

  /** What decides about a use at `at`; null: at the time of the decision. */
  at(at: Instant | null): Sources {
    if (at === null) return this.now;
    const found: Sources = { accessStatus: 'none', sources: [] };
    for (const row of this.subscriptions) {
      this.add(found, accessStatusThen(row, this.policy, at), row, row.entitlementId, at);
    }
    return found;
  }

  /** Puts what is left in the place of what was there. */
  replace(before: readonly CountedSource[], left: readonly CountedSource[]): void {
    before.forEach((source, index) => {
      const after = left[index];
      if (after === undefined || after === source) return;
      const list = this.now.sources.includes(source) ? this.now.sources : this.others;
      list[list.indexOf(source)] = after;
    });
  }

  /** The counters of these deductions that have not been read: what is held may be of a usage period that is over. */
  unreadOf(deductions: readonly TakenDeduction[]): CounterKey[] {
    const { customerId, featureId } = this;
    if (customerId === null || featureId === null) return [];
    return deductions.flatMap(({ subscriptionId, resetInterval, periodStart }) => {
      const isKnown =
        this.counters.has(counterName(subscriptionId, periodStart)) ||
        this.balances().some((one) => isOf(one, subscriptionId, periodStart));
      return isKnown ? [] : [{ customerId, featureId, subscriptionId, resetInterval, periodStart }];
    });
  }

  /** Counts a deduction of a usage period that no source is of; its counter was read. */
  count(deduction: TakenDeduction): void {
    const { subscriptionId, resetInterval, periodStart } = deduction;
    const name = counterName(subscriptionId, periodStart);
    const known = this.counted.get(name);
    const was = known?.was ?? this.counters.get(name) ?? NOTHING;
    const tally = addToTally(known?.tally ?? was, deduction);
    this.counted.set(name, { subscriptionId, resetInterval, periodStart, was, tally });
  }

  /** The counters that have moved. */
  changes(): CounterChange[] {
    const { customerId, featureId } = this;
    const changes: CounterChange[] = [];
    if (customerId === null || featureId === null) return changes;
    for (const { subscriptionId, resetInterval, period, was, tally } of this.balances()) {
      if (tally === was) continue;
      const key = { customerId, featureId, subscriptionId, resetInterval, periodStart: period.start };
      changes.push({ ...key, was, becomes: tally });
    }
    for (const { was, tally, ...counter } of this.counted.values()) {
      changes.push({ customerId, featureId, ...counter, was, becomes: tally });
    }
    return changes;
  }

  private balances(): CountedSource[] {
    return this.others.length === 0 ? this.now.sources : [...this.now.sources, ...this.others];
  }

  private granting(at: Instant): SubscriptionRow[] {
    return this.subscriptions.filter(
      (row) => row.entitlementId !== null && accessStatusThen(row, this.policy, at) === 'active',
    );
  }

  private add(
    to: Sources,
    accessStatus: AccessQuestion['accessStatus'],
    row: EntitledRow,
    entitlementId: string | null,
    at: Instant,
  ): void {
    if (accessStatus === 'active' || (accessStatus === 'past_due' && to.accessStatus === 'none'))
      to.accessStatus = accessStatus;
    if (accessStatus !== 'active' || entitlementId === null) return;
    to.sources.push(to === this.now ? withHeld(countedSource(row, at), this.held) : this.sourceAt(row, at));
  }

  private sourceAt(row: EntitledRow, at: Instant): CountedSource {
    const { subscriptionId } = row;
    const covers = (one: CountedSource): boolean =>
      one.subscriptionId === subscriptionId && contains(one.period, at);
    const known = this.now.sources.find(covers) ?? this.others.find(covers);
    if (known !== undefined) return known;
    const { start } = usagePeriod(row, row.resetInterval, at);
    const counter = this.counters.get(counterName(subscriptionId, start)) ?? undefined;
    const source = withHeld(countedSource(row, at, counter), this.held);
    this.others.push(source);
    return source;
  }
}

function contains({ start, end }: Period, at: Instant): boolean {
  return start <= at && (end === null || at < end);
}

function isOf(source: CountedSource, subscriptionId: string, periodStart: Instant): boolean {
  return source.subscriptionId === subscriptionId && source.period.start === periodStart;
}

function counterName(subscriptionId: string, periodStart: Instant): string {
  return `${subscriptionId} ${periodStart}`;
}
