import type { Decimal } from './decimal';

/** Usage in a bucket or over a time range. */
export interface UsageSum {
  quantity: Decimal;
  /** Number of uses, including reversed ones. */
  events: number;
}

export const NO_USAGE: UsageSum = { quantity: 0n, events: 0 };

/** Subtracts the other sums from the first, bucket by bucket. */
export function restOf(all: readonly UsageSum[], others: readonly (readonly UsageSum[])[]): UsageSum[] {
  return all.map((whole, place) => {
    const parts = others.map((other) => other[place] ?? NO_USAGE);
    return {
      quantity: parts.reduce((rest, { quantity }) => rest - quantity, whole.quantity),
      events: parts.reduce((rest, { events }) => rest - events, whole.events),
    };
  });
}

export function totalOf(sums: readonly UsageSum[]): UsageSum {
  return {
    quantity: sums.reduce((total, { quantity }) => total + quantity, 0n),
    events: sums.reduce((total, { events }) => total + events, 0),
  };
}

/**
 * Returns the groups with the largest quantities, largest first. Ties are ordered by the number of uses, descending,
 * and then by key.
 *
 * @param limit maximum number of groups
 */
export function largestOf<Group extends UsageSum & { key: string }>(
  groups: readonly Group[],
  limit: number,
): Group[] {
  const inOrder = [...groups].sort((one, other) => {
    if (one.quantity !== other.quantity) return one.quantity > other.quantity ? -1 : 1;
    if (one.events !== other.events) return other.events - one.events;
    return one.key < other.key ? -1 : 1;
  });
  return inOrder.slice(0, limit);
}

/** Maximum number of points of a series. */
export const MAX_POINTS = 1_000;
