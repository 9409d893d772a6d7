const REFRESH_MS = 5_000;

/** Returns how soon a list is refreshed, in ms, while one of its items waits for a provider; else it is not. */
export function refreshWhile<Item>(isWaiting: (item: Item) => boolean): (items: Item[]) => number | false {
  return (items) => items.some(isWaiting) && REFRESH_MS;
}
