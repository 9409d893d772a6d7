/**
 * Returns the members of a form that differ from when it was opened. Only these are sent, so that concurrent changes of
 * the others by another operator are kept.
 */
export function changedMembers<Values extends object>(before: Values, after: Values): Partial<Values> {
  const differs = ([name, value]: [string, unknown]) =>
    JSON.stringify(value) !== JSON.stringify(before[name as keyof Values]);
  return Object.fromEntries(Object.entries(after).filter(differs)) as Partial<Values>;
}
