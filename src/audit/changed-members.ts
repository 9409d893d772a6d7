import { isDeepStrictEqual } from 'node:util';

/**
 * Returns the members of a change that differ from what is stored. If none does, a request changes nothing: it is not
 * recorded, and `updatedAt` stays.
 */
export function changedMembers<Change extends object>(
  before: { [Name in keyof Change]?: unknown },
  change: Change,
): Partial<Change> {
  const entries = Object.entries(change) as [keyof Change, unknown][];
  return Object.fromEntries(
    entries.filter(([name, value]) => !isDeepStrictEqual(before[name], value)),
  ) as Partial<Change>;
}

/** Whether a change has no members. */
export function isNothing(change: object): boolean {
  return Object.keys(change).length === 0;
}
