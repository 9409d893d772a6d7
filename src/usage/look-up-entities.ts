import type { WorkspaceScope } from '../tenancy/actor';
import { readEntities, readEntityCounters, type AskedEntity, type EntityCounterKey } from './entity-store';
import { counterName, keyOf, nameOf } from './entity-uses';
import type { CountedSource } from './counted-source';
import type { ReadTogether } from './look-back';
import type { PairState } from './pair-state';
import type { TakenDeduction } from './stored-deduction';
import type { UsageState } from './usage-state';

/** A use of a pair by an entity: the sources it is decided on, and what its reservation holds. */
export interface EntityAsk {
  state: PairState;
  entity: string;
  sources: readonly CountedSource[];
  held: readonly TakenDeduction[];
}

/**
 * Reads which of the named entities exist, their counters of the usage periods involved, and what they hold. Takes one
 * round trip, or none if no call names an entity.
 */
export async function lookUpEntities(
  scope: WorkspaceScope,
  asks: readonly EntityAsk[],
  { entities: uses, decidedAt, repeated }: UsageState,
  read: ReadTogether,
): Promise<void> {
  const names = new Map<string, AskedEntity>();
  const keys = new Map<string, EntityCounterKey>();
  for (const { state, entity, sources, held } of asks) {
    const { customerId, featureId } = state;
    if (customerId === null || featureId === null) continue;
    const name = nameOf({ customerId, entity });
    const most = Math.max(highestLimit(sources), names.get(name)?.most ?? 0);
    names.set(name, { customerId, entity, most });
    const counted = [...sources.map((one) => ({ ...one, periodStart: one.period.start })), ...held];
    for (const key of counted.map((one) => keyOf(state, entity, one))) keys.set(counterName(key), key);
  }
  if (names.size === 0) return;
  const wanted = [...names.values()];
  const counters = [...keys.values()];
  const [entityRows, counterRows] = await read([
    readEntities(scope, wanted),
    readEntityCounters(scope, counters, { decidedAt, except: repeated }),
  ]);
  for (const row of entityRows) {
    const name = wanted[Number(row.place) - 1];
    if (name !== undefined) uses.addEntity(name, row);
  }
  for (const row of counterRows) {
    const key = counters[Number(row.place) - 1];
    if (key !== undefined) uses.addCounter(key, row);
  }
}

/**
 * Returns the highest limit that the use can be decided on. Sources without a limit are left out, because the use may
 * be decided without them: they may be those of an ended subscription that only another use needs.
 */
function highestLimit(sources: readonly CountedSource[]): number {
  return sources.reduce((sum, { entityLimit }) => sum + (entityLimit ?? 0), 0);
}
