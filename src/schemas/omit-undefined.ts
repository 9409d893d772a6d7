/** Removes undefined members, so that members not sent keep their stored value. */
export function omitUndefined<Change extends object>(
  change: Change,
): { [Member in keyof Change]?: Exclude<Change[Member], undefined> } {
  const members = Object.entries(change).filter(([, value]) => value !== undefined);
  return Object.fromEntries(members) as { [Member in keyof Change]?: Exclude<Change[Member], undefined> };
}
