/** Leaves out the members that are undefined, so that what a change does not send keeps its value. */
export function omitUndefined<Change extends object>(
  change: Change,
): { [Member in keyof Change]?: Exclude<Change[Member], undefined> } {
  const members = Object.entries(change).filter(([, value]) => value !== undefined);
  return Object.fromEntries(members) as { [Member in keyof Change]?: Exclude<Change[Member], undefined> };
}
