/** Commands whose outcome this browser waits for: their ids, which survive a reload and grant nothing. */
const NAME = 'tollgate-portal-commands';
/** More than a customer sends at once. */
const MOST = 10;

/** @returns the stored ids; null without browser storage: then outcomes are shown only until a reload */
export function readWatched(): string[] | null {
  try {
    const kept: unknown = JSON.parse(window.localStorage.getItem(NAME) ?? '[]');
    return Array.isArray(kept) ? kept.filter((id) => typeof id === 'string') : [];
  } catch {
    return null;
  }
}

/** @returns the stored ids */
export function keepWatched(ids: readonly string[]): string[] {
  const latest = ids.slice(-MOST);
  try {
    if (latest.length === 0) window.localStorage.removeItem(NAME);
    else window.localStorage.setItem(NAME, JSON.stringify(latest));
  } catch {
    // As above.
  }
  return latest;
}
