import { changedMembers } from './changed.ts';

/**
 * Returns the changed members of a form, merged with what others have changed since it was opened.
 *
 * @param before the form as it was opened
 * @param readNow reads the values of now
 */
export async function changesToSend<Values extends object>(
  before: Values,
  typed: Values,
  readNow: () => Promise<Values>,
): Promise<Partial<Values>> {
  return mergeLists(before, changedMembers(before, typed), await readNow());
}

/**
 * Returns the changed members of a form, in which lists also have what others have added and removed since the form was
 * opened: the API replaces a list as a whole.
 *
 * @param before the form as it was opened
 * @param changed its changed members
 * @param current the values of now
 */
export function mergeLists<Values extends object>(
  before: Values,
  changed: Partial<Values>,
  current: Values,
): Partial<Values> {
  const byOthers = changedMembers(before, current);
  const merged = Object.entries(changed).map(([name, value]: [string, unknown]) => {
    const [was, is] = [before, byOthers].map((values) => values[name as keyof Values] as unknown);
    const areLists = Array.isArray(was) && Array.isArray(value) && Array.isArray(is);
    return [name, areLists ? mergeList(was, value, is) : value];
  });
  return Object.fromEntries(merged) as Partial<Values>;
}

/** A list that was emptied stays empty: that concerns not its entries, but whether there are any. */
function mergeList(was: unknown[], typed: unknown[], is: unknown[]): unknown[] {
  if (typed.length === 0) return typed;
  const isRemoved = (entry: unknown): boolean => was.includes(entry) && !typed.includes(entry);
  const added = typed.filter((entry) => !was.includes(entry) && !is.includes(entry));
  return [...is.filter((entry) => !isRemoved(entry)), ...added];
}
