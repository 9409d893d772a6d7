import { alsoReserved } from './access-reasons';
import type {
  AccessQuestion,
  AccessSource,
  Deduction,
  DenialCode,
  EntityBalance,
  EntityUse,
} from './access-types';
import { formatDecimal, type Decimal } from './decimal';

/*
 * Quotas of entities: a customer's users, projects or other things that it counts separately. `quota` of an entitlement
 * is the pool that they share, and `entityQuota` what each may take. Without a pool (null), each entity has only its
 * own quota.
 */

/** Returns the units of quota that the entity may still take by its own quota; null: only the pool limits it. */
export function entityRoom({ entityQuota, entity }: AccessSource): Decimal | null {
  if (entityQuota === null) return null;
  if (entity === null) return 0n;
  const room = entityQuota - entity.quotaUsed - entity.reservedQuota;
  return room > 0n ? room : 0n;
}

/** Whether each entity has its own quota and the customer has none. */
export function isOfEntityAlone({ quota, entityQuota }: AccessSource): boolean {
  return quota === null && entityQuota !== null;
}

/** Returns the entity's balance over all sources; null if none was named. */
export function entityBalance(sources: readonly AccessSource[]): EntityBalance | null {
  const balance = { usage: 0n, reserved: 0n };
  let quota: Decimal | null = 0n;
  let remaining = 0n;
  let isNamed = false;
  for (const source of sources) {
    const { entity, entityQuota } = source;
    if (entity === null) continue;
    isNamed = true;
    balance.usage += entity.used;
    balance.reserved += entity.reserved;
    if (quota !== null) quota = entityQuota === null ? null : quota + entityQuota;
    remaining += entityRoom(source) ?? 0n;
  }
  if (!isNamed) return null;
  return { ...balance, quota, remaining: quota === null ? null : remaining };
}

/**
 * Returns the entity's use after a deduction from the source's period. `units` is its quantity, negative to undo it.
 */
export function usedByEntity(use: EntityUse, { from }: Pick<Deduction, 'from'>, units: Decimal): EntityUse {
  return {
    ...use,
    quotaUsed: use.quotaUsed + (isOfQuota(from) ? units : 0n),
    used: use.used + units,
  };
}

/** Returns the entity's use after a reservation holds a deduction; otherwise as `usedByEntity`. */
export function heldByEntity(use: EntityUse, { from }: Pick<Deduction, 'from'>, units: Decimal): EntityUse {
  return {
    ...use,
    reservedQuota: use.reservedQuota + (isOfQuota(from) ? units : 0n),
    reserved: use.reserved + units,
  };
}

/**
 * Returns the sources that the question may take from: without an entity, those without a quota for each entity. If
 * there are none, returns all sources, for their balances; `refusalOfEntity` then refuses.
 */
export function openSources({
  entity,
  sources,
}: Pick<AccessQuestion, 'entity' | 'sources'>): readonly AccessSource[] {
  if (entity !== null || !sources.some(isForEach)) return sources;
  const open = sources.filter((source) => !isForEach(source));
  return open.length > 0 ? open : sources;
}

/**
 * Returns why the entity, or the lack of one, is refused regardless of the remaining quota; null if it is not refused.
 */
export function refusalOfEntity({
  entity,
  sources,
  feature,
}: Pick<AccessQuestion, 'entity' | 'sources' | 'feature'>): { code: DenialCode; message: string } | null {
  if (sources.length === 0 || feature.kind === 'boolean') return null;
  if (entity === null) {
    if (!sources.every(isForEach)) return null;
    return {
      code: 'entity_required',
      message: `"${feature.key}" has a quota for each entity; the request names none.`,
    };
  }
  if (!entity.isNew) return null;
  const limit = entityLimit(sources);
  if (limit === null || entity.count < limit) return null;
  return {
    code: 'entity_limit_reached',
    message: `The plan allows ${limit} ${limit === 1 ? 'entity' : 'entities'}, and "${entity.id}" would be one more.`,
  };
}

/**
 * Whether a granted use creates its entity. Units may be held for an entity that was removed since. They can still be
 * used, but the entity is created again only if the limit allows it.
 */
export function makesEntity(question: Pick<AccessQuestion, 'entity' | 'sources' | 'feature'>): boolean {
  if (question.entity?.isNew !== true) return false;
  return question.sources.length > 0 && refusalOfEntity(question) === null;
}

/** Returns the number of entities that the customer may have: the sum over its plans; null: any number. */
function entityLimit(sources: readonly Pick<AccessSource, 'entityLimit'>[]): number | null {
  let limit = 0;
  for (const source of sources) {
    if (source.entityLimit === null) return null;
    limit += source.entityLimit;
  }
  return limit;
}

/** Returns the sentence for a quantity that exceeds the entity's own quota; null if that is not the reason. */
export function entityQuotaExceeded(
  { entity, quantity, feature, sources }: Pick<AccessQuestion, 'entity' | 'quantity' | 'feature' | 'sources'>,
  balance: EntityBalance | null,
): string | null {
  if (entity === null || balance === null) return null;
  const { quota, remaining } = balance;
  if (quota === null || remaining === null || remaining >= quantity) return null;
  const held = heldRoom(sources);
  return (
    `"${entity.id}" has used ${formatDecimal(quota - remaining - held)} of its ${formatDecimal(quota)} ` +
    `"${feature.key}"${alsoReserved(held)}; ${formatDecimal(quantity)} requested.`
  );
}

/** Returns the units of the entity's own quotas that its reservations hold, up to the quotas. */
function heldRoom(sources: readonly AccessSource[]): Decimal {
  let held = 0n;
  for (const source of sources) {
    if (source.entity === null) continue;
    const unheld = { ...source, entity: { ...source.entity, reservedQuota: 0n } };
    held += (entityRoom(unheld) ?? 0n) - (entityRoom(source) ?? 0n);
  }
  return held;
}

function isForEach({ entityQuota }: AccessSource): boolean {
  return entityQuota !== null;
}

function isOfQuota(from: Deduction['from']): boolean {
  return from === 'quota' || from === 'rollover';
}
