/** Identity and sort key of an event. */
interface Placed {
  id: string;
  createdAt: string;
}

/**
 * Merges the stream's events and the list's, without duplicates and in the list's order, newest first. An event that
 * the stream delivers after the list did keeps its place.
 */
export function mergeEvents<Event extends Placed>(live: readonly Event[], listed: readonly Event[]): Event[] {
  const each = new Map([...live, ...listed].map((event) => [event.id, event]));
  return [...each.values()].sort(
    (one, other) => descending(one.createdAt, other.createdAt) || descending(one.id, other.id),
  );
}

function descending(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? 1 : -1;
}
