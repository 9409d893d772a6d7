import { isCountedIn, type AskingEntity, type Deduction, type EntityUse } from '../domain/access';
import { parseDecimal } from '../domain/decimal';
import { heldByEntity } from '../domain/entity-quota';
import { mergeDeductions } from '../domain/reservation';
import { addToTally, NOTHING, unitsOf, type Tally } from './counter';
import type { CountedSource } from './counted-source';
import type {
  EntityCounterChange,
  EntityCounterKey,
  EntityCounterRow,
  EntityName,
  EntityRow,
} from './entity-store';
import { withLessHeld, withMoreHeld } from './held-units';
import type { PairState } from './pair-state';
import { toTaken, type TakenDeduction } from './stored-deduction';

type EntityCounter = EntityCounterKey & { was: Tally; tally: Tally };

/**
 * The entities that a batch's calls name: which of them exist, and what each has used and holds. It is read once and
 * updated by each granted track. What an entity holds is read together with what it has used, not with the context: a
 * check locks nothing, so a reservation that is confirmed between the two reads would count twice.
 */
export class EntityUses {
  private readonly entities = new Map<string, EntityName & { isNew: boolean; count: number }>();
  private readonly counters = new Map<string, EntityCounter>();
  /** What the reservations of an entity hold of a feature, one deduction per source. */
  private readonly held = new Map<string, Deduction[]>();
  private readonly created: EntityName[] = [];

  addEntity(name: EntityName, row: EntityRow): void {
    this.entities.set(nameOf(name), { ...name, isNew: row.isNew, count: Number(row.count) });
  }

  addCounter(key: EntityCounterKey, row: EntityCounterRow): void {
    const was = tallyOfRow(row);
    this.counters.set(counterName(key), { ...key, was, tally: was });
    this.held.set(heldName(key, key.entity), mergeDeductions((row.held ?? []).flat().map(toTaken)));
  }

  /** Returns the entity in the form that a question needs. */
  asking(customerId: string | null, entity: string): AskingEntity {
    const found = customerId === null ? undefined : this.entities.get(nameOf({ customerId, entity }));
    if (customerId === null || found === undefined) return { id: entity, isNew: true, count: 0 };
    const created = this.created.filter((one) => one.customerId === customerId).length;
    return { id: entity, isNew: found.isNew, count: found.count + created };
  }

  /** Returns the sources with what the entity has taken from each and holds of it. */
  of(state: PairState, entity: string, sources: readonly CountedSource[]): CountedSource[] {
    return sources.map((source) => ({ ...source, entity: this.useOf(state, entity, source) }));
  }

  /** Counts what a track takes for the entity. */
  count(state: PairState, entity: string, deductions: readonly TakenDeduction[]): void {
    for (const deduction of deductions) {
      const counter = this.counter(keyOf(state, entity, deduction));
      counter.tally = addToTally(counter.tally, deduction);
    }
  }

  /** Counts what a reservation of the entity holds. */
  hold(state: PairState, entity: string, deductions: readonly Deduction[]): void {
    const name = heldName(state, entity);
    this.held.set(name, withMoreHeld(this.held.get(name) ?? [], deductions));
  }

  /** Counts that a reservation of the entity no longer holds these units. */
  release(state: PairState, entity: string, deductions: readonly Deduction[]): void {
    const name = heldName(state, entity);
    this.held.set(name, withLessHeld(this.held.get(name) ?? [], deductions));
  }

  /** Creates the entity if it is new. */
  create(customerId: string | null, entity: string): void {
    const found = customerId === null ? undefined : this.entities.get(nameOf({ customerId, entity }));
    if (found === undefined || !found.isNew) return;
    found.isNew = false;
    this.created.push({ customerId: found.customerId, entity });
  }

  newEntities(): readonly EntityName[] {
    return this.created;
  }

  /** Returns the counters that have changed. */
  changes(): EntityCounterChange[] {
    const moved = [...this.counters.values()].filter(({ was, tally }) => was !== tally);
    return moved.map(({ tally, ...counter }) => ({ ...counter, becomes: tally }));
  }

  private useOf(state: PairState, entity: string, source: CountedSource): EntityUse {
    const periodStart = source.period.start;
    const { tally } = this.counter(keyOf(state, entity, { ...source, periodStart }));
    const use: EntityUse = {
      quotaUsed: tally.quota + tally.rollover,
      used: unitsOf(tally),
      reservedQuota: 0n,
      reserved: 0n,
    };
    return (this.held.get(heldName(state, entity)) ?? [])
      .filter((one) => isCountedIn(source, one))
      .reduce((sum, one) => heldByEntity(sum, one, one.quantity), use);
  }

  /** Every needed counter was read; a missing one must not be taken for unused. */
  private counter(key: EntityCounterKey): EntityCounter {
    const found = this.counters.get(counterName(key));
    if (found === undefined) throw new Error(`The counter of an entity was not read: ${key.subscriptionId}`);
    return found;
  }
}

/** Returns the key of the entity counter that a deduction, or a source in its period, counts in. */
export function keyOf(
  { customerId, featureId }: PairState,
  entity: string,
  {
    subscriptionId,
    resetInterval,
    periodStart,
  }: Omit<EntityCounterKey, 'customerId' | 'featureId' | 'entity'>,
): EntityCounterKey {
  if (customerId === null || featureId === null) throw new Error('An entity of no customer is counted.');
  return { customerId, featureId, entity, subscriptionId, resetInterval, periodStart };
}

/** Returns a string that identifies a counter. */
export function counterName(key: EntityCounterKey): string {
  const { customerId, featureId, entity, subscriptionId, resetInterval, periodStart } = key;
  return `${customerId} ${featureId} ${subscriptionId} ${resetInterval} ${periodStart} ${entity}`;
}

/** Returns a string that identifies what an entity holds of a feature. */
function heldName(
  { customerId, featureId }: Pick<PairState, 'customerId' | 'featureId'>,
  entity: string,
): string {
  return `${customerId} ${featureId} ${entity}`;
}

/** Returns a string that identifies an entity. */
export function nameOf({ customerId, entity }: EntityName): string {
  return `${customerId} ${entity}`;
}

function tallyOfRow(row: EntityCounterRow): Tally {
  return {
    ...NOTHING,
    quota: parseDecimal(row.quotaUsed),
    rollover: parseDecimal(row.rolloverUsed),
    credits: parseDecimal(row.creditUsed),
    overage: parseDecimal(row.overageUsed),
  };
}
