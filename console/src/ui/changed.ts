/**
 * The members of a form that are another thing than when it was opened. Only they are sent: what somebody else has changed
 * meanwhile in the others stays.
 */
export function changedMembers<Values extends object>(before: Values, after: Values): Partial<Values> {
  const differs = ([name, value]: [string, unknown]) =>
    JSON.stringify(value) !== JSON.stringify(before[name as keyof Values]);
  return Object.fromEntries(Object.entries(after).filter(differs)) as Partial<Values>;
}
