import { DAY_MS } from '../../src/domain/instant';
import type { Deduction } from '../../src/domain/access';
import type { Decimal } from '../../src/domain/decimal';
import type { UsageModel } from './usage-model';
import { START, type Person } from './usage-rows';

/**
 * Returns the units that a use can take without overage. They are added up from what was taken and is held, without
 * the functions that decide access: from the day's quota and rollover, up to the entity's own quota, and from
 * credits.
 */
export function availableAt(model: UsageModel, at: number, entity: Person): Decimal {
  const day = START + Math.floor((at - START) / DAY_MS) * DAY_MS;
  const ofPool = left(model, model.terms.quota, day) + carriedTo(model, day);
  const cap = model.terms.entityQuota;
  const ofEntity = cap === null ? ofPool : atLeastNone(cap - ofQuotaBy(model, day, entity));
  return (ofEntity < ofPool ? ofEntity : ofPool) + bought(model);
}

/** Returns the units of quotas that an entity has taken and holds in a day. */
export function ofQuotaBy(model: UsageModel, day: number, entity: Person): Decimal {
  const isOfQuota = ({ from, periodStart }: Deduction): boolean =>
    periodStart === day && (from === 'quota' || from === 'rollover');
  return model.taken(isOfQuota, entity) + model.held(isOfQuota, entity);
}

/** Returns whether the plan has room for the entity. */
export function hasPlace({ known, terms }: UsageModel, entity: Person): boolean {
  return known.has(entity) || terms.entityLimit === null || known.size < terms.entityLimit;
}

function left(model: UsageModel, quota: Decimal, day: number): Decimal {
  return atLeastNone(quota - model.usedOfQuota(day) - model.heldOfQuota(day));
}

function carriedTo(model: UsageModel, day: number): Decimal {
  const { periods, most } = model.terms.rollover;
  let carried = 0n;
  for (let before = day - DAY_MS; before >= START && before >= day - periods * DAY_MS; before -= DAY_MS) {
    const then = model.history.findLast(({ since }) => since < before + DAY_MS)?.terms;
    if (then !== undefined && then.rollover.periods > 0) carried += left(model, then.quota, before);
  }
  if (most === null) return carried;
  const isCarried = (one: Deduction): boolean => one.from === 'rollover' && one.periodStart === day;
  const more = atLeastNone(most - model.taken(isCarried) - model.held(isCarried));
  return more < carried ? more : carried;
}

/** Returns the units that credits can buy; a unit costs half a credit. */
function bought(model: UsageModel): Decimal {
  return model
    .grantAmounts()
    .filter(({ expiresAt }) => expiresAt === null || expiresAt > model.now)
    .reduce((sum, { id, amount }) => sum + 2n * (amount - model.spent(id) - model.heldCredits(id)), 0n);
}

function atLeastNone(units: Decimal): Decimal {
  return units > 0n ? units : 0n;
}
