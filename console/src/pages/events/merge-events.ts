/** What an event is told from others and sorted by. */
interface Placed {
  id: string;
  createdAt: string;
}

/**
 * The stream's events and the list's, each once and in the list's order, the newest first: one that the stream brings
 * after the list did stays where it is.
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
