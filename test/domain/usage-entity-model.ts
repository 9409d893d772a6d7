import type { Deduction, EntityUse } from '../../src/domain/access';
import type { Decimal } from '../../src/domain/decimal';
import type { Person } from './usage-rows';

type Chosen = (deduction: Deduction) => boolean;

/** Units taken and units held of the chosen deductions; `by` restricts them to one entity. */
type Counted = Record<'taken' | 'held', (of: Chosen, by?: Person) => Decimal>;

/** Returns what an entity has taken and holds in the usage period that begins at `start`. */
export function entityUse(model: Counted, entity: Person, start: number): EntityUse {
  const all: Chosen = ({ periodStart }) => periodStart === start;
  const quota: Chosen = (one) => all(one) && (one.from === 'quota' || one.from === 'rollover');
  return {
    quotaUsed: model.taken(quota, entity),
    used: model.taken(all, entity),
    reservedQuota: model.held(quota, entity),
    reserved: model.held(all, entity),
  };
}

/** Returns the units of the chosen deductions; `by` restricts them to one entity. */
export function unitsOf(
  rows: readonly { entity: Person; deductions: readonly Deduction[] }[],
  of: Chosen,
  by: Person | undefined,
): Decimal {
  return rows
    .filter(({ entity }) => by === undefined || entity === by)
    .flatMap(({ deductions }) => deductions.filter(of))
    .reduce((sum, { quantity }) => sum + quantity, 0n);
}
