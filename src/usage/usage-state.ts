import type { Decimal } from '../domain/decimal';
import {
  applyDeductions,
  applyHold,
  isCountedIn,
  snapshot,
  type AccessQuestion,
  type AccessSnapshot,
  type Deduction,
} from '../domain/access';
import { openSources } from '../domain/entity-quota';
import type { Instant } from '../domain/instant';
import type { ReportingRules } from '../domain/time-of-use';
import type { CountedSource } from './counted-source';
import { CustomerCredits, type CustomerGrants } from './customer-credits';
import { EntityUses } from './entity-uses';
import { heldAt, type HeldReservation } from './held-units';
import { PairState, type Sources } from './pair-state';
import { toStored, withInterval, type TakenDeduction } from './stored-deduction';
import type { UsageCall } from './usage-call';
import { pairKey, settingsOf, type ContextRow, type Pair } from './usage-context-store';
import type { CounterChange, CreditChange } from './usage-write-store';

/**
 * The balances that a batch of calls is decided on. They are read once, then updated by each granted track, so that the
 * next call of the batch sees the state after the previous one. The changes are written at the end.
 */
export class UsageState {
  private readonly pairs = new Map<string, PairState>();
  private readonly credits: CustomerCredits;
  /** By external id: reservations that had not expired when the batch was decided. */
  private readonly held = new Map<string, readonly HeldReservation[]>();
  /** The workspace's time at which this batch is decided. */
  readonly decidedAt: Instant;
  readonly reporting: ReportingRules;
  /** Percentage of its credits at which a customer is notified; null: never. */
  readonly creditsLowPercent: number | null;
  readonly entities = new EntityUses();

  /**
   * @param repeated ids of the reservations that the batch's own calls make: one exists already if an earlier try of the
   * batch was committed without an answer. It holds nothing against the call that makes it again.
   */
  constructor(
    pairs: readonly Pair[],
    context: readonly ContextRow[],
    receivedAt: Instant,
    readonly repeated: ReadonlySet<string> = new Set(),
  ) {
    const { policy, reporting, clockOffsetMs } = settingsOf(context[0]);
    this.decidedAt = receivedAt + clockOffsetMs;
    this.reporting = reporting;
    this.credits = new CustomerCredits(this.decidedAt);
    this.creditsLowPercent = context[0]?.creditsLowPercent ?? null;
    const rowsByPair: ContextRow[][] = pairs.map(() => []);
    for (const row of context) rowsByPair[Number(row.pair) - 1]?.push(row);
    pairs.forEach((pair, index) => {
      const rows = rowsByPair[index] ?? [];
      const held = this.held.get(pair.externalId) ?? this.addCustomer(pair.externalId, rows[0]);
      this.pairs.set(pairKey(pair), new PairState(pair.feature, rows, policy, this.decidedAt, held));
    });
  }

  /** Adds what the row of a customer's first pair has of the customer. */
  private addCustomer(externalId: string, row: ContextRow | undefined): readonly HeldReservation[] {
    const held = heldAt(row?.held ?? null, this.decidedAt).filter(({ id }) => !this.repeated.has(id));
    this.held.set(externalId, held);
    this.credits.add(externalId, row?.credits ?? [], held);
    return held;
  }

  /** Returns the number of reservations that the customer has. */
  reservationsOf(externalId: string): number {
    return this.held.get(externalId)?.length ?? 0;
  }

  find(pair: Pair): PairState | undefined {
    return this.pairs.get(pairKey(pair));
  }

  /** Returns the states of all pairs. */
  all(): IterableIterator<PairState> {
    return this.pairs.values();
  }

  /** Returns the sources that a use at an instant is decided on, with its entity if it has one (`PairState.at`). */
  sourcesFor(
    state: PairState,
    entity: string | null,
    at: Instant | null,
    units: Decimal | null = null,
  ): Sources {
    const found = state.at(at, units);
    if (entity === null) return found;
    return { ...found, sources: this.entities.of(state, entity, found.sources) };
  }

  /** Returns the access question that a call asks of these sources. */
  question(
    pair: Pair & { entity: string | null },
    state: PairState,
    feature: AccessQuestion['feature'],
    { accessStatus, sources }: Sources,
    quantity: Decimal,
  ): AccessQuestion {
    const credits = this.credits.of(pair.externalId).left;
    const entity = pair.entity === null ? null : this.entities.asking(state.customerId, pair.entity);
    return { feature, quantity, sources, credits, accessStatus, now: this.decidedAt, entity };
  }

  grantsOf(externalId: string): CustomerGrants {
    return this.credits.of(externalId);
  }

  /**
   * Returns the current balances of a feature, in the usage periods of an instant (`PairState.at`).
   *
   * @param decidedOn the sources that the use was decided on: only their subscriptions count; omitted: all count
   */
  balances(
    { externalId, entity }: Pair & { entity: string | null },
    state: PairState,
    at: Instant | null,
    decidedOn?: readonly CountedSource[],
  ): AccessSnapshot {
    const { sources: all } = this.sourcesFor(state, entity, at);
    const isMeant = ({ subscriptionId }: CountedSource): boolean =>
      decidedOn?.some((one) => one.subscriptionId === subscriptionId) ?? true;
    const sources = all.filter(isMeant);
    const askingEntity = entity === null ? null : this.entities.asking(state.customerId, entity);
    const open = openSources({ entity: askingEntity, sources });
    return snapshot(state.feature?.kind ?? 'metered', open, this.credits.of(externalId).left);
  }

  /** Holds the deductions of a granted check, and returns them in the form stored with the reservation. */
  hold(
    { externalId, entity }: UsageCall,
    state: PairState,
    reservationId: string,
    granted: readonly Deduction[],
  ): string {
    const { sources } = state.at(null);
    const left = applyHold(sources, [], granted, 1n);
    state.hold(reservationId, granted, left.sources);
    if (entity !== null) {
      this.entities.create(state.customerId, entity);
      this.entities.hold(state, entity, granted);
    }
    this.credits.hold(externalId, granted, 1n);
    return JSON.stringify(granted.map((deduction) => toStored(withInterval(deduction, sources))));
  }

  /** Releases what a reservation holds. */
  release(
    { externalId, entity, reservationId }: UsageCall,
    state: PairState,
    held: readonly Deduction[],
  ): void {
    this.credits.hold(externalId, held, -1n);
    const wasHeld = reservationId !== null && state.release(reservationId);
    if (wasHeld && entity !== null) this.entities.release(state, entity, held);
  }

  /**
   * Updates the balances after a granted track, and returns its deductions with the keys of their counters.
   *
   * @param sources the sources it was decided on
   * @param held what the track's reservation held; a part may belong to a usage period without a source
   */
  deduct(
    { externalId, entity }: UsageCall,
    state: PairState,
    sources: readonly CountedSource[],
    deductions: readonly Deduction[],
    held: readonly TakenDeduction[],
  ): TakenDeduction[] {
    const left = applyDeductions(sources, [], deductions);
    this.credits.deduct(externalId, deductions);
    const taken = deductions.map((deduction) =>
      withInterval(deduction, sources.some((one) => isCountedIn(one, deduction)) ? sources : held),
    );
    state.deduct(taken, sources, left.sources);
    if (entity !== null) this.entities.count(state, entity, taken);
    return taken;
  }

  /** Returns the counters that have changed. */
  counterChanges(): CounterChange[] {
    return [...this.pairs.values()].flatMap((pair) => pair.counters.changes());
  }

  /** Returns the grants that have changed. */
  creditChanges(): CreditChange[] {
    return this.credits.changes();
  }
}
