const SOON_MS = 5_000;
const LATER_MS = 60_000;
/** How long an item is refreshed soon, from when the page first sees its current state. Some refunds take days. */
const NEW_MS = 5 * 60_000;

/**
 * When each waiting item was first seen. An item stays the same object as long as it is unchanged. The item's own time
 * is not used: the clock of a sandbox may be ahead.
 */
const firstSeen = new WeakMap<object, number>();

/**
 * Returns how soon a list is refreshed, in ms, while one of its items waits for its outcome: soon at first, less often
 * if that takes long. False if no item waits.
 */
export function refreshWhile<Item extends object>(
  isWaiting: (item: Item) => boolean,
): (items: Item[]) => number | false {
  return (items) => {
    const ages = items.filter(isWaiting).map(ageOf);
    return ages.length > 0 && (Math.min(...ages) < NEW_MS ? SOON_MS : LATER_MS);
  };
}

function ageOf(item: object): number {
  const now = performance.now();
  const seen = firstSeen.get(item) ?? now;
  firstSeen.set(item, seen);
  return now - seen;
}
