import { parseDecimal, type Decimal } from '../domain/decimal';
import {
  applyDeductions,
  applyHold,
  isCountedIn,
  snapshot,
  type AccessQuestion,
  type AccessSnapshot,
  type CreditBalance,
  type Deduction,
} from '../domain/access';
import { openSources } from '../domain/entity-quota';
import type { Instant } from '../domain/instant';
import type { PastDuePolicy } from '../domain/subscription';
import type { ReportingRules } from '../domain/time-of-use';
import type { CountedSource } from './counted-source';
import { EntityUses } from './entity-uses';
import type { EntityAsk } from './look-up-entities';
import { grantsWithHeld, heldAt, type HeldReservation } from './held-units';
import type { DatedUse, HeldUse } from './look-back';
import type { NamedReservations } from './named-reservations';
import { PairState, type Sources } from './pair-state';
import { toStored, type TakenDeduction } from './stored-deduction';
import type { UsageCall } from './usage-call';
import { pairKey, type ContextRow, type CreditMember, type Pair } from './usage-context-store';
import type { CounterChange, CreditChange } from './usage-write-store';

/**
 * The balances that a batch of calls decides on: read once, then moved by each granted track, so that the next
 * call of the batch sees what the one before it left. What has moved is written at the end.
 */
export class UsageState {
  private readonly pairs = new Map<string, PairState>();
  private readonly credits = new Map<string, CreditBalance[]>();
  private readonly expiredGrants = new Map<string, CreditBalance>();
  /** By external id, what had not expired when the batch was decided. */
  private readonly held = new Map<string, readonly HeldReservation[]>();
  /** The workspace's time that this batch is decided at. */
  readonly decidedAt: Instant;
  readonly reporting: ReportingRules;
  private readonly spent = new Map<string, Decimal>();
  /** By external id, the grants that held credits when the batch began, also such as had just expired. */
  private readonly grantRows = new Map<string, readonly CreditMember[]>();
  /** The percent of its credits of which a customer is notified; null: of none. */
  readonly creditsLowPercent: number | null;
  readonly entities = new EntityUses();

  constructor(pairs: readonly Pair[], context: readonly ContextRow[], receivedAt: Instant) {
    const { policy, reporting, clockOffsetMs } = settingsOf(context[0]);
    this.decidedAt = receivedAt + clockOffsetMs;
    this.reporting = reporting;
    this.creditsLowPercent = context[0]?.creditsLowPercent ?? null;
    const rowsByPair: ContextRow[][] = pairs.map(() => []);
    for (const row of context) rowsByPair[Number(row.pair) - 1]?.push(row);
    pairs.forEach((pair, index) => {
      const rows = rowsByPair[index] ?? [];
      const held = this.heldFor(pair.externalId, rows[0]);
      this.pairs.set(pairKey(pair), new PairState(pair.feature, rows, policy, this.decidedAt, held));
      if (this.credits.has(pair.externalId)) return;
      this.grantRows.set(pair.externalId, rows[0]?.credits ?? []);
      this.addGrants(pair.externalId, grantsOf(rows[0]), held);
    });
  }

  private heldFor(externalId: string, row: ContextRow | undefined): readonly HeldReservation[] {
    const known = this.held.get(externalId);
    if (known !== undefined) return known;
    const held = heldAt(row?.held ?? null, this.decidedAt);
    this.held.set(externalId, held);
    return held;
  }

  private addGrants(externalId: string, grants: CreditBalance[], held: readonly HeldReservation[]): void {
    const isSpendable = ({ expiresAt }: CreditBalance): boolean =>
      expiresAt === null || expiresAt > this.decidedAt;
    const spendable = grants.filter(isSpendable);
    this.credits.set(externalId, held.length === 0 ? spendable : grantsWithHeld(spendable, held));
    if (spendable.length === grants.length) return;
    for (const grant of grants) if (!isSpendable(grant)) this.expiredGrants.set(grant.grantId, grant);
  }

  /** How many reservations the customer has. */
  reservationsOf(externalId: string): number {
    return this.held.get(externalId)?.length ?? 0;
  }

  find(pair: Pair): PairState | undefined {
    return this.pairs.get(pairKey(pair));
  }

  /**
   * The uses for which more than the context may have to be read: those whose caller says when they happened, and those
   * of pairs whose latest counters are not those of now.
   */
  datedUses(calls: readonly UsageCall[]): DatedUse[] {
    const uses: Omit<DatedUse, 'units'>[] = [];
    for (const call of calls) {
      const state = call.timestamp === null ? undefined : this.find(call);
      if (state !== undefined && call.timestamp !== null) uses.push({ state, at: call.timestamp });
    }
    for (const state of this.pairs.values()) {
      if (state.hasUnread()) uses.push({ state, at: this.decidedAt });
    }
    if (uses.length === 0) return [];
    const units = new Map<PairState | undefined, Decimal>();
    for (const call of calls) {
      const state = this.find(call);
      units.set(state, (units.get(state) ?? 0n) + call.quantity);
    }
    return uses.map((use) => ({ ...use, units: units.get(use.state) ?? 0n }));
  }

  /** The uses of the calls for which something is held: it may be of a usage period that is over. */
  heldUses(calls: readonly UsageCall[], reservations: NamedReservations): HeldUse[] {
    return calls.flatMap((call) => {
      const state = call.reservationId === null ? undefined : this.find(call);
      if (state === undefined) return [];
      const held = reservations.heldFor(call, state);
      return 'code' in held ? [] : [{ state, deductions: held }];
    });
  }

  /** The uses for which entities are named, and what decides about each. */
  entityAsks(calls: readonly UsageCall[], reservations: NamedReservations): EntityAsk[] {
    return calls.flatMap((call) => {
      const entity = reservations.entityOf(call);
      const state = entity === null ? undefined : this.find(call);
      if (state === undefined || entity === null) return [];
      const held = reservations.heldFor(call, state);
      return [{ state, entity, sources: state.at(call.timestamp).sources, held: 'code' in held ? [] : held }];
    });
  }

  /** What decides about a use at an instant, of its entity where it has one (`PairState.at`). */
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

  /** The question that a call asks of these sources. */
  question(
    pair: Pair & { entity: string | null },
    state: PairState,
    feature: AccessQuestion['feature'],
    { accessStatus, sources }: Sources,
    quantity: Decimal,
  ): AccessQuestion {
    const credits = this.credits.get(pair.externalId) ?? [];
    const entity = pair.entity === null ? null : this.entities.asking(state.customerId, pair.entity);
    return { feature, quantity, sources, credits, accessStatus, now: this.decidedAt, entity };
  }

  /** The customer's grants: as they were read, and those that have not expired as they are. */
  grantsOf(externalId: string): { read: readonly CreditMember[]; left: readonly CreditBalance[] } {
    return { read: this.grantRows.get(externalId) ?? [], left: this.credits.get(externalId) ?? [] };
  }

  /** The balances of a feature as they are. */
  balances({ externalId, entity }: Pair & { entity: string | null }, state: PairState): AccessSnapshot {
    const { sources } = this.sourcesFor(state, entity, null);
    const asked = entity === null ? null : this.entities.asking(state.customerId, entity);
    const open = openSources({ entity: asked, sources });
    return snapshot(state.feature?.kind ?? 'metered', open, this.credits.get(externalId) ?? []);
  }

  /** Holds the deductions of a granted check, and answers them as they are stored with the reservation. */
  hold(
    { externalId, entity }: UsageCall,
    state: PairState,
    reservationId: string,
    granted: readonly Deduction[],
  ): string {
    const { sources } = state.at(null);
    const left = applyHold(sources, this.credits.get(externalId) ?? [], granted, 1n);
    state.hold(reservationId, { entity, deductions: granted }, left.sources);
    if (entity !== null) this.entities.create(state.customerId, entity);
    this.credits.set(externalId, left.credits);
    return JSON.stringify(granted.map((deduction) => toStored(named(deduction, sources))));
  }

  /** Lets go of what a reservation holds. */
  release({ externalId, reservationId }: UsageCall, state: PairState, held: readonly Deduction[]): void {
    this.credits.set(externalId, applyHold([], this.credits.get(externalId) ?? [], held, -1n).credits);
    if (reservationId !== null) state.release(reservationId);
  }

  /**
   * Moves the balances by a granted track, and answers its deductions with the names of their counters.
   *
   * @param sources what decided about it
   * @param held what the track's reservation held: a part may be of a usage period that no source is of
   */
  deduct(
    { externalId, entity }: UsageCall,
    state: PairState,
    sources: readonly CountedSource[],
    deductions: readonly Deduction[],
    held: readonly TakenDeduction[] = [],
  ): TakenDeduction[] {
    const left = applyDeductions(sources, this.credits.get(externalId) ?? [], deductions);
    this.credits.set(externalId, left.credits);
    const taken = deductions.map((deduction) =>
      named(deduction, sources.some((one) => isCountedIn(one, deduction)) ? sources : held),
    );
    state.deduct(taken, sources, left.sources);
    if (entity !== null) this.entities.count(state, entity, taken);
    for (const deduction of deductions) if (deduction.from === 'credits') this.spend(deduction);
    return taken;
  }

  /** The counters that have moved. */
  counterChanges(): CounterChange[] {
    return [...this.pairs.values()].flatMap((pair) => pair.changes());
  }

  /** The grants that have moved. */
  creditChanges(): CreditChange[] {
    const grants = [...this.credits.values(), ...this.expiredGrants.values()].flat();
    return grants.flatMap(({ grantId, remaining }) => {
      const spent = this.spent.get(grantId);
      return spent === undefined ? [] : [{ grantId, spent, remaining }];
    });
  }

  private spend({ grantId, credits }: Extract<Deduction, { from: 'credits' }>): void {
    this.spent.set(grantId, (this.spent.get(grantId) ?? 0n) + credits);
    // A grant may expire while a reservation holds a part of it, which is still paid.
    const expired = this.expiredGrants.get(grantId);
    if (expired !== undefined) {
      this.expiredGrants.set(grantId, { ...expired, remaining: expired.remaining - credits });
    }
  }
}

/** The deduction with the name of its counter, from what counts it. */
function named(deduction: Deduction, counters: readonly (TakenDeduction | CountedSource)[]): TakenDeduction {
  const { subscriptionId, periodStart } = deduction;
  const counter = counters.find(
    (one) =>
      one.subscriptionId === subscriptionId &&
      ('period' in one ? one.period.start : one.periodStart) === periodStart,
  );
  if (counter === undefined) throw new Error(`A deduction names no source: ${subscriptionId}`);
  return { ...deduction, resetInterval: counter.resetInterval };
}

function grantsOf(row: ContextRow | undefined): CreditBalance[] {
  return (row?.credits ?? []).map((grant) => ({
    grantId: grant.id,
    remaining: parseDecimal(grant.remaining),
    reserved: 0n,
    expiresAt: grant.expiresAt === null ? null : Date.parse(grant.expiresAt),
  }));
}

function settingsOf(row: ContextRow | undefined): {
  policy: PastDuePolicy;
  reporting: ReportingRules;
  clockOffsetMs: number;
} {
  if (row === undefined) throw new Error('A batch has no context.');
  const { graceDays, expireAfterDays, reportedDays, graceMinutes } = row;
  if (graceDays === null || expireAfterDays === null || reportedDays === null || graceMinutes === null)
    throw new Error('This workspace has no settings.');
  return {
    policy: { graceDays, expireAfterDays },
    reporting: { reportedDays, graceMinutes },
    clockOffsetMs: Number(row.clockOffsetMs),
  };
}
