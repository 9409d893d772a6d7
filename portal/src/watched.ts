/** Commands whose outcome this browser waits for: their ids, which survive a reload and grant nothing. */
const NAME = 'tollgate-portal-commands';
/** More than a customer sends at once. */
const MOST = 10;

export function readWatched(): string[] {
  try {
    const kept: unknown = JSON.parse(window.localStorage.getItem(NAME) ?? '[]');
    return Array.isArray(kept) ? kept.filter((id) => typeof id === 'string') : [];
  } catch {
    // Without browser storage, outcomes are shown only until a reload.
    return [];
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
