/** The members of a parsed change that were sent; those left out stay out, so that they keep their value. */
export function given<Change extends object>(
  change: Change,
): { [Member in keyof Change]?: Exclude<Change[Member], undefined> } {
  const members = Object.entries(change).filter(([, value]) => value !== undefined);
  return Object.fromEntries(members) as { [Member in keyof Change]?: Exclude<Change[Member], undefined> };
}
