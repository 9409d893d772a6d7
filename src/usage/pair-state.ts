import { isCountedIn, snapshot, type AccessQuestion, type Deduction } from '../domain/access';
import type { Decimal } from '../domain/decimal';
import { withHeld } from '../domain/held-source';
import type { Instant } from '../domain/instant';
import { usagePeriod, type Period, type ResetInterval } from '../domain/period';
import { accessStatusOf, accessStatusThen, type PastDuePolicy } from '../domain/subscription';
import { nowInstead, startSoonAfter } from '../domain/time-of-use';
import { addToTally, NOTHING, tallyOf, type Counter, type Tally } from './counter';
import { countedSource, type CountedSource } from './counted-source';
import type { EntitledRow, TermsRow } from './entitled-row-store';
import { HeldOfFeature, type HeldReservation, type HeldUnits } from './held-units';
import type { CounterKey, EndedRow } from './past-usage-store';
import type { TakenDeduction } from './stored-deduction';
import type { ContextRow } from './usage-context-store';
import type { TermsKey } from './former-terms-store';
import { unreadPeriods, unreadTerms, withTerms } from './unread-periods';
import type { CounterChange } from './usage-write-store';

/** The entitlements that a use is decided on, and the customer's best access status at that time. */
export interface Sources {
  accessStatus: AccessQuestion['accessStatus'];
  sources: CountedSource[];
}

type SubscriptionRow = EntitledRow & {
  entitlementId: string | null;
  alertPercents: string | null;
  cancelledAt?: Instant | null;
  unpaidSince?: Instant | null;
};

/**
 * State of one customer and feature in a batch: the subscriptions, their counters, and what is held. It is read once
 * and updated by each granted track, so that the next call of the batch sees the state after the previous one.
 */
export class PairState {
  readonly customerId: string | null;
  readonly featureId: string | null;
  readonly feature: { key: string; kind: 'metered' | 'boolean' } | null;
  private readonly subscriptions: SubscriptionRow[] = [];
  /** By subscription, interval and start of the usage period: counters that were read by key, or have changed. */
  private readonly counters = new Map<string, Counter>();
  /** Units of the feature that reservations hold. */
  private readonly held: HeldOfFeature;
  /** Cached sources for the time of the decision, as long as they are valid. */
  private present: Sources | null = null;

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
    this.held = new HeldOfFeature(held, this.featureId);
    for (const row of rows) if (row.subscriptionId !== null) this.subscriptions.push(row);
  }

  /**
   * Returns the sources that a use at an instant is decided on; null: the time of the decision.
   *
   * @param units ended subscriptions count only if the open ones do not cover this many units; null: they always count
   */
  at(at: Instant | null, units: Decimal | null = null): Sources {
    if (at !== null) {
      const moment = this.momentOf(at);
      const isAsked = units !== null && !this.subscriptions.every(isOpen);
      const open = isAsked ? this.sourcesAt(moment, accessStatusThen, isOpen) : null;
      return open !== null && covers(open, units) ? open : this.sourcesAt(moment, accessStatusThen);
    }
    this.present ??= this.sourcesAt(this.decidedAt, accessStatusOf);
    return this.present;
  }

  /**
   * Whether subscriptions that may have ended since must be read for uses at `at`, because the quotas of the open ones
   * do not cover them. The counters of the open ones must have been read. Quotas of entities are unknown here.
   */
  asksForEnded(at: Instant, units: Decimal): boolean {
    return at < this.decidedAt && !covers(this.sourcesAt(at, accessStatusThen), units);
  }

  /**
   * Adds ended subscriptions. One that was open when the context was read may have ended since; it is not added again.
   */
  addEnded(rows: readonly EndedRow[]): void {
    const known = new Set(this.subscriptions.map(({ subscriptionId }) => subscriptionId));
    this.subscriptions.push(...rows.filter(({ subscriptionId }) => !known.has(subscriptionId)));
  }

  /** Whether a use at the time of the decision needs counters or terms that were not read with the context. */
  hasUnread(): boolean {
    return this.at(null).sources.some(({ subscriptionId, period }) => {
      const row = this.subscriptions.find((one) => one.subscriptionId === subscriptionId);
      if (row === undefined) return false;
      return unreadPeriods(row, period).length > 0 || unreadTerms(row, period).length > 0;
    });
  }

  /** Returns the terms that a use at `at` needs and that have not been read. */
  unreadTerms(at: Instant): TermsKey[] {
    const { featureId } = this;
    if (featureId === null) return [];
    const moment = this.momentOf(at);
    return this.subscriptions.flatMap((row) => {
      const { subscriptionId, resetInterval, earlier } = row;
      if (earlier === null || accessStatusThen(row, this.policy, moment) !== 'active') return [];
      const instants = unreadTerms(row, usagePeriod(row, resetInterval, moment));
      return instants.map((instant) => ({ subscriptionId, featureId, at: instant }));
    });
  }

  /** @param found all terms that were requested of the subscription */
  addTerms(subscriptionId: string, found: readonly TermsRow[]): void {
    const place = this.subscriptions.findIndex((one) => one.subscriptionId === subscriptionId);
    const row = this.subscriptions[place];
    if (row !== undefined) this.subscriptions[place] = withTerms(row, found);
    this.present = null;
  }

  /** Returns the counters that a use at `at` needs and that have not been read. */
  unread(at: Instant): CounterKey[] {
    const moment = this.momentOf(at);
    return this.subscriptions.flatMap((row) => {
      if (row.entitlementId === null || accessStatusThen(row, this.policy, moment) !== 'active') return [];
      const { subscriptionId, resetInterval } = row;
      return unreadPeriods(row, usagePeriod(row, resetInterval, moment)).flatMap((start) =>
        this.unreadKeys(subscriptionId, resetInterval, start),
      );
    });
  }

  /**
   * Returns the counters of these deductions that have not been read: held units may belong to a usage period that is
   * over.
   */
  unreadOf(deductions: readonly TakenDeduction[]): CounterKey[] {
    return deductions.flatMap((deduction) => {
      const { subscriptionId, resetInterval, periodStart } = deduction;
      const counted = this.unreadKeys(subscriptionId, resetInterval, periodStart);
      if (deduction.from !== 'rollover') return counted;
      // If the interval has changed since, and its period begins at the same instant, the new interval's counter is
      // used.
      const now = this.subscriptions.find((one) => one.subscriptionId === subscriptionId)?.resetInterval;
      const intervals = new Set([resetInterval, now ?? resetInterval]);
      const origins = [...intervals].flatMap((interval) =>
        this.unreadKeys(subscriptionId, interval, deduction.originStart),
      );
      return [...counted, ...origins];
    });
  }

  /**
   * Returns the usage periods of these deductions, except for subscriptions that have ended since, which are unknown.
   */
  periodsOf(deductions: readonly TakenDeduction[]): Pick<CountedSource, 'subscriptionId' | 'period'>[] {
    return deductions.flatMap(({ subscriptionId, resetInterval, periodStart }) => {
      const row = this.subscriptions.find((one) => one.subscriptionId === subscriptionId);
      return row === undefined
        ? []
        : [{ subscriptionId, period: usagePeriod(row, resetInterval, periodStart) }];
    });
  }

  /** @param tally null if nothing was counted in the period */
  addCounter({ subscriptionId, resetInterval, periodStart }: CounterKey, tally: Tally | null): void {
    const was = tally ?? NOTHING;
    const counter = { subscriptionId, resetInterval, periodStart, was, tally: was };
    this.counters.set(counterName(counter), counter);
    this.present = null;
  }

  /**
   * Counts what a track takes.
   *
   * @param sources the sources it was decided on
   * @param left the same sources after its deductions
   */
  deduct(
    deductions: readonly TakenDeduction[],
    sources: readonly CountedSource[],
    left: CountedSource[],
  ): void {
    for (const deduction of deductions) {
      const counter = this.counter(deduction, deduction.periodStart);
      counter.tally = addToTally(counter.tally, deduction);
      if (deduction.from !== 'rollover') continue;
      const origin = this.counter(deduction, deduction.originStart);
      origin.tally = { ...origin.tally, usedLater: origin.tally.usedLater + deduction.quantity };
    }
    this.moved(deductions, sources, left);
  }

  /** Returns what reservations of an entity hold. */
  heldFor(entity: string): readonly Deduction[] {
    return this.held.of(entity);
  }

  hold(reservationId: string, held: HeldUnits, left: CountedSource[]): void {
    this.held.add(reservationId, held);
    this.present = this.present === null ? null : { ...this.present, sources: left };
  }

  /** Returns the counter of a deduction that was counted. */
  counterOf(deduction: TakenDeduction): Counter | undefined {
    return this.counters.get(counterName(deduction));
  }

  /**
   * Returns the source of a deduction and the percentages of its quota to notify; undefined if the entitlement no
   * longer exists. Held units may belong to a usage period without a source.
   */
  alertableOf(
    deduction: TakenDeduction,
    sources: readonly CountedSource[],
  ): { source: CountedSource; percents: number[] } | undefined {
    const { subscriptionId, resetInterval, periodStart } = deduction;
    const row = this.subscriptions.find((one) => one.subscriptionId === subscriptionId);
    if (row?.resetInterval !== resetInterval || row.alertPercents === null) return undefined;
    const source = sources.find((one) => isCountedIn(one, deduction)) ?? this.sourceOf(row, periodStart);
    return isCountedIn(source, deduction) ? { source, percents: readPercents(row.alertPercents) } : undefined;
  }

  release(reservationId: string): void {
    if (this.held.release(reservationId)) this.present = null;
  }

  /** Returns the counters that have changed. */
  changes(): CounterChange[] {
    const { customerId, featureId } = this;
    const changes: CounterChange[] = [];
    if (customerId === null || featureId === null) return changes;
    for (const { tally, ...counter } of this.counters.values()) {
      if (tally !== counter.was) changes.push({ customerId, featureId, ...counter, becomes: tally });
    }
    return changes;
  }

  private moved(
    deductions: readonly TakenDeduction[],
    sources: readonly CountedSource[],
    left: CountedSource[],
  ): void {
    if (this.present === null) return;
    // A use of another period, or units held in one, may have taken units that would be carried over to this one.
    const isKnown =
      sources === this.present.sources &&
      deductions.every((deduction) => sources.some((one) => isCountedIn(one, deduction)));
    this.present = isKnown ? { ...this.present, sources: left } : null;
  }

  /**
   * Returns when a use at `at` counts (`startSoonAfter`, `nowInstead`): if it is the start of a subscription, of an open
   * one rather than of one that has ended. Plans without the feature matter only if none has it: a customer that has just bought an add-on
   * already has a plan.
   */
  private momentOf(at: Instant): Instant {
    const entitled = this.subscriptions.filter(({ entitlementId }) => entitlementId !== null);
    const meant = entitled.length > 0 ? entitled : this.subscriptions;
    const isActive = (then: Instant): boolean =>
      meant.some((row) => accessStatusThen(row, this.policy, then) === 'active');
    const moment = nowInstead(at, this.decidedAt, isActive);
    if (moment !== at || meant.some((row) => accessStatusThen(row, this.policy, at) !== 'none'))
      return moment;
    const startOf = (rows: readonly SubscriptionRow[]): Instant =>
      startSoonAfter(
        at,
        rows.map(({ startedAt }) => startedAt),
      );
    const open = startOf(meant.filter(isOpen));
    return open > at ? open : startOf(meant);
  }

  private sourcesAt(
    at: Instant,
    statusOf: typeof accessStatusThen,
    isMeant: (row: SubscriptionRow) => boolean = () => true,
  ): Sources {
    const found: Sources = { accessStatus: 'none', sources: [] };
    let isPastDue = false;
    for (const row of this.subscriptions) {
      if (!isMeant(row)) continue;
      const accessStatus = statusOf(row, this.policy, at);
      if (accessStatus === 'past_due' && row.entitlementId !== null) isPastDue = true;
      if (accessStatus === 'active' || (accessStatus === 'past_due' && found.accessStatus === 'none'))
        found.accessStatus = accessStatus;
      if (accessStatus === 'active' && row.entitlementId !== null) found.sources.push(this.sourceOf(row, at));
    }
    // A payment brings the feature back, even if another plan, without the feature, is active.
    return isPastDue ? { ...found, accessStatus: 'past_due' } : found;
  }

  private sourceOf(row: SubscriptionRow, at: Instant): CountedSource {
    const { subscriptionId, resetInterval } = row;
    const known = (periodStart: Instant): Tally | undefined =>
      this.counters.get(counterName({ subscriptionId, resetInterval, periodStart }))?.tally;
    const period = this.present?.sources.find(
      (one) => one.subscriptionId === row.subscriptionId && contains(one.period, at),
    )?.period;
    return withHeld(countedSource(row, at, known, period), this.held.all());
  }

  /**
   * Returns the counter to update. The latest one, and those of earlier periods that carry units over, were read with
   * the context.
   */
  private counter({ subscriptionId, resetInterval }: TakenDeduction, periodStart: Instant): Counter {
    const name = counterName({ subscriptionId, resetInterval, periodStart });
    const known = this.counters.get(name);
    if (known !== undefined) return known;
    const row = this.subscriptions.find((one) => one.subscriptionId === subscriptionId);
    const was = row?.resetInterval === resetInterval ? readTally(row, periodStart) : NOTHING;
    const counter = { subscriptionId, resetInterval, periodStart, was, tally: was };
    this.counters.set(name, counter);
    return counter;
  }

  private unreadKeys(
    subscriptionId: string,
    resetInterval: ResetInterval,
    periodStart: Instant,
  ): CounterKey[] {
    const { customerId, featureId } = this;
    if (customerId === null || featureId === null) return [];
    if (this.counters.has(counterName({ subscriptionId, resetInterval, periodStart }))) return [];
    const row = this.subscriptions.find((one) => one.subscriptionId === subscriptionId);
    if (row?.resetInterval === resetInterval && row.counterStart === periodStart) return [];
    return [{ customerId, featureId, subscriptionId, resetInterval, periodStart }];
  }
}

/** Whether the subscription is open, rather than one that was read because it has ended since. */
function isOpen({ status }: SubscriptionRow): boolean {
  return status !== 'cancelled';
}

/** Whether the quotas have this many units left. Those for each entity do not count, because its usage is read later. */
function covers({ sources }: Sources, units: Decimal | null): boolean {
  const ofAll = sources.filter(({ entityQuota }) => entityQuota === null);
  const { unlimited, remaining } = snapshot('metered', ofAll, []);
  return unlimited || (remaining ?? 0n) >= (units ?? 0n);
}

/** Returns a row's counter of a usage period. */
function readTally(row: EntitledRow, periodStart: Instant): Tally {
  if (row.counterStart === periodStart) return tallyOf(row);
  const earlier = row.earlier?.counters?.find(({ start }) => Date.parse(start) === periodStart);
  return earlier === undefined ? NOTHING : tallyOf(earlier);
}

/** Parses the members of an array's text. */
function readPercents(text: string): number[] {
  return text === '{}' ? [] : text.slice(1, -1).split(',').map(Number);
}

function contains({ start, end }: Period, at: Instant): boolean {
  return start <= at && (end === null || at < end);
}

/**
 * Returns a string that identifies a counter. It includes the interval: if an entitlement's interval has changed, both
 * may have a period that begins at the same instant.
 */
function counterName(of: Pick<Counter, 'subscriptionId' | 'resetInterval' | 'periodStart'>): string {
  return `${of.subscriptionId} ${of.resetInterval} ${of.periodStart}`;
}
