import { isCountedIn, quotasCover, type AccessQuestion, type Deduction } from '../domain/access';
import type { Decimal } from '../domain/decimal';
import { withHeld } from '../domain/held-source';
import type { Instant } from '../domain/instant';
import { contains } from '../domain/period';
import { accessStatusOf, accessStatusThen, hasEnded, type PastDuePolicy } from '../domain/subscription';
import { countedAt } from '../domain/time-of-use';
import type { Tally } from './counter';
import { countedSource, type CountedSource } from './counted-source';
import type { TermsRow } from './entitled-row-store';
import { HeldOfFeature, type HeldReservation } from './held-units';
import { PairCounters } from './pair-counters';
import type { CounterKey, EndedRow } from './past-usage-store';
import type { TakenDeduction } from './stored-deduction';
import { findRow, readPercents, type SubscriptionRow } from './subscription-row';
import { withTerms } from './unread-periods';
import type { ContextRow } from './usage-context-store';

/** The entitlements that a use is decided on, and the customer's best access status at that time. */
export interface Sources {
  accessStatus: AccessQuestion['accessStatus'];
  sources: CountedSource[];
}

/**
 * State of one customer and feature in a batch: the subscriptions, their counters, and what is held. It is read once
 * and updated by each granted track, so that the next call of the batch sees the state after the previous one.
 */
export class PairState {
  readonly customerId: string | null;
  readonly featureId: string | null;
  readonly feature: { key: string; kind: 'metered' | 'boolean' } | null;
  readonly counters: PairCounters;
  private readonly subscriptions: SubscriptionRow[] = [];
  /** Units of the feature that reservations hold. */
  private readonly held: HeldOfFeature;
  /** Cached sources for the time of the decision, as long as they are valid. */
  private present: Sources | null = null;

  constructor(
    featureKey: string,
    rows: readonly ContextRow[],
    readonly policy: PastDuePolicy,
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
    this.counters = new PairCounters(this.customerId, this.featureId, this.subscriptions);
  }

  /** The customer's subscriptions, as read. */
  get rows(): readonly SubscriptionRow[] {
    return this.subscriptions;
  }

  /**
   * Returns the sources that a use at an instant is decided on; null: the time of the decision.
   *
   * @param units ended subscriptions count only if the open ones do not cover this many units; null: they always count
   */
  at(at: Instant | null, units: Decimal | null = null): Sources {
    if (at !== null) {
      const moment = this.momentOf(at);
      if (units !== null && !this.subscriptions.every(isOpen)) {
        const open = this.sourcesAt(moment, accessStatusThen, this.subscriptions.filter(isOpen));
        if (quotasCover(open.sources, units)) return open;
      }
      return this.sourcesAt(moment, accessStatusThen);
    }
    this.present ??= this.sourcesAt(this.decidedAt, accessStatusOf);
    return this.present;
  }

  /** Returns when a use at `at` counts. */
  momentOf(at: Instant): Instant {
    return countedAt(this.subscriptions, this.policy, at, this.decidedAt);
  }

  /**
   * Whether subscriptions that may have ended since must be read for uses at `at`, because the quotas of the open ones
   * do not cover them. The counters of the open ones must have been read. Quotas of entities are unknown here.
   */
  asksForEnded(at: Instant, units: Decimal): boolean {
    return at < this.decidedAt && !quotasCover(this.sourcesAt(at, accessStatusThen).sources, units);
  }

  /**
   * Adds ended subscriptions. One that was open when the context was read may have ended since; it is not added again.
   */
  addEnded(rows: readonly EndedRow[]): void {
    const known = new Set(this.subscriptions.map(({ subscriptionId }) => subscriptionId));
    this.subscriptions.push(...rows.filter(({ subscriptionId }) => !known.has(subscriptionId)));
  }

  /** @param found all terms that were requested of the subscription */
  addTerms(subscriptionId: string, found: readonly TermsRow[]): void {
    const row = findRow(this.subscriptions, subscriptionId);
    if (row !== undefined) this.subscriptions[this.subscriptions.indexOf(row)] = withTerms(row, found);
    this.present = null;
  }

  /** @param tally null if nothing was counted in the period */
  addCounter(key: CounterKey, tally: Tally | null): void {
    this.counters.add(key, tally);
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
    this.counters.count(deductions);
    if (this.present === null) return;
    // A use of another period, or units held in one, may have taken units that would be carried over to this one.
    const isKnown =
      sources === this.present.sources &&
      deductions.every((deduction) => sources.some((one) => isCountedIn(one, deduction)));
    this.present = isKnown ? { ...this.present, sources: left } : null;
  }

  hold(reservationId: string, held: readonly Deduction[], left: CountedSource[]): void {
    this.held.add(reservationId, held);
    this.present = this.present === null ? null : { ...this.present, sources: left };
  }

  /** @returns whether it was held */
  release(reservationId: string): boolean {
    const wasHeld = this.held.release(reservationId);
    if (wasHeld) this.present = null;
    return wasHeld;
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
    const row = findRow(this.subscriptions, subscriptionId);
    if (row?.resetInterval !== resetInterval || row.alertPercents === null) return undefined;
    const source = sources.find((one) => isCountedIn(one, deduction)) ?? this.sourceOf(row, periodStart);
    return isCountedIn(source, deduction) ? { source, percents: readPercents(row.alertPercents) } : undefined;
  }

  private sourcesAt(
    at: Instant,
    statusOf: typeof accessStatusThen,
    rows: readonly SubscriptionRow[] = this.subscriptions,
  ): Sources {
    const found: Sources = { accessStatus: 'none', sources: [] };
    let isPastDue = false;
    for (const row of rows) {
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
      this.counters.find({ subscriptionId, resetInterval, periodStart })?.tally;
    const period = this.present?.sources.find(
      (one) => one.subscriptionId === subscriptionId && contains(one.period, at),
    )?.period;
    return withHeld(countedSource(row, at, known, period), this.held.all());
  }
}

/** Whether the subscription is open, rather than one that was read because it has ended since. */
function isOpen({ status }: SubscriptionRow): boolean {
  return !hasEnded(status);
}
