import { spendable } from './access-credits';
import type { AccessSnapshot, AccessSource, CreditBalance } from './access-types';
import type { Decimal } from './decimal';
import { entityBalance, entityRoom, isOfEntityAlone } from './entity-quota';

/** Returns the balances of a feature as responses show them. */
export function snapshot(
  kind: 'metered' | 'boolean',
  sources: readonly AccessSource[],
  credits: readonly CreditBalance[],
): AccessSnapshot {
  let usage = 0n;
  let quota: Decimal | null = null;
  let remaining: Decimal | null = null;
  let reserved = 0n;
  let rollover = 0n;
  let unlimited = false;
  for (const source of sources) {
    const own = isOfEntityAlone(source) ? source.entity : null;
    usage += own === null ? source.used : own.used;
    reserved += own === null ? source.reserved : own.reserved;
    const carried = usableCarried(source);
    rollover += carried;
    const limit = limitOf(source);
    if (limit !== null) quota = (quota ?? 0n) + limit;
    if (isUnlimited(source)) unlimited = true;
    else if (limit !== null) remaining = (remaining ?? 0n) + roomOf(source, carried);
  }
  let creditBalance = 0n;
  for (const grant of credits) creditBalance += spendable(grant);
  // Without a source there is no quota, and none remains.
  if (sources.length === 0) {
    quota = 0n;
    remaining = 0n;
  }
  if (kind === 'boolean' || unlimited) {
    quota = null;
    remaining = null;
  }
  return {
    usage,
    quota,
    remaining,
    unlimited: unlimited && kind === 'metered',
    rollover,
    reserved,
    creditBalance,
    entity: entityBalance(sources),
  };
}

/**
 * Whether the quotas have this many units left. Those for each entity do not count: whether they do depends on an
 * entity's usage, which may not have been read.
 */
export function quotasCover(sources: readonly AccessSource[], units: Decimal): boolean {
  const ofAll = sources.filter(({ entityQuota }) => entityQuota === null);
  const { unlimited, remaining } = snapshot('metered', ofAll, []);
  return unlimited || (remaining ?? 0n) >= units;
}

/** Whether the units that may be taken are unbounded. */
export function isUnlimited({ quota, entityQuota }: AccessSource): boolean {
  return quota === null && entityQuota === null;
}

/** Returns the free units of the quota, regardless of entity; null if unlimited. */
export function freeQuota(source: AccessSource): Decimal | null {
  if (source.quota === null) return null;
  const free = source.quota - source.quotaUsed - source.usedLater - source.reservedQuota;
  return free > 0n ? free : 0n;
}

/**
 * Returns the units of the quotas that are not free, whether or not the entity asking may take more, and those of them
 * that reservations hold.
 */
export function takenQuota(sources: readonly AccessSource[]): { taken: Decimal; held: Decimal } {
  let taken = 0n;
  let held = 0n;
  for (const source of sources) {
    const limit = limitOf(source);
    if (limit === null) continue;
    const free = freeUnits(source);
    const entity = source.entity === null ? null : { ...source.entity, reservedQuota: 0n };
    taken += limit - free;
    held += freeUnits({ ...source, reservedQuota: 0n, entity }) - free;
  }
  return { taken, held };
}

/** Returns the quota whose units the balances show: the customer's, else that of the entity asking; null: neither. */
function limitOf({ quota, entity, entityQuota }: AccessSource): Decimal | null {
  return quota ?? (entity === null ? null : entityQuota);
}

/** Returns the free units of that quota. */
function freeUnits(source: AccessSource): Decimal {
  return freeQuota(source) ?? entityRoom(source) ?? 0n;
}

/**
 * Returns the units of earlier usage periods that the source may still use. A carried remainder can be negative: a late
 * use, which is measured against the current quota, may have taken units that were held of the quota of that time.
 */
export function usableCarried({ carried, carriedLimit }: AccessSource): Decimal {
  let units = 0n;
  for (const { remaining } of carried) if (remaining > 0n) units += remaining;
  if (carriedLimit === null || units <= carriedLimit) return units;
  return carriedLimit > 0n ? carriedLimit : 0n;
}

/**
 * Returns the units of quota, of this period and carried over to it, that are left for the entity asking, or for all
 * entities together if none is named.
 */
function roomOf(source: AccessSource, carried: Decimal): Decimal {
  const free = freeQuota(source);
  const room = source.entity === null ? null : entityRoom(source);
  if (free === null) return room ?? 0n;
  const units = free + carried;
  return room === null || units < room ? units : room;
}
