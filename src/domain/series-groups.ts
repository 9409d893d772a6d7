import type { Decimal } from './decimal';

/** What was used in a bucket or over a time. */
export interface UsageSum {
  quantity: Decimal;
  /** How many uses, reversed ones too. */
  events: number;
}

export const NO_USAGE: UsageSum = { quantity: 0n, events: 0 };

/** The first sum with the others taken from it, bucket by bucket. */
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
 * The groups with the largest quantities, largest first; among equals those with more uses, and then by key.
 *
 * @param most how many of them
 */
export function largestOf<Group extends UsageSum & { key: string }>(
  groups: readonly Group[],
  most: number,
): Group[] {
  const inOrder = [...groups].sort((one, other) => {
    if (one.quantity !== other.quantity) return one.quantity > other.quantity ? -1 : 1;
    if (one.events !== other.events) return other.events - one.events;
    return one.key < other.key ? -1 : 1;
  });
  return inOrder.slice(0, most);
}

/** A series has at most so many points. */
export const MOST_POINTS = 1_000;
