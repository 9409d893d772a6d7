/** Commands whose outcome this browser waits for: their ids, which survive a reload and grant nothing. */
const NAME = 'tollgate-portal-commands';
/** More than a customer sends at once. */
const MOST = 10;

/**
 * The latest ids, if the browser cannot store them because its storage is full or forbidden: then outcomes are shown
 * only until a reload. Null if they are stored.
 */
let unstored: readonly string[] | null = null;

/** @returns the latest ids */
export function readWatched(): readonly string[] {
  if (unstored !== null) return unstored;
  try {
    const kept: unknown = JSON.parse(window.localStorage.getItem(NAME) ?? '[]');
    return Array.isArray(kept) ? kept.filter((id) => typeof id === 'string') : [];
  } catch {
    return [];
  }
}

/** @returns the kept ids */
export function keepWatched(ids: readonly string[]): readonly string[] {
  const latest = ids.slice(-MOST);
  try {
    if (latest.length === 0) window.localStorage.removeItem(NAME);
    else window.localStorage.setItem(NAME, JSON.stringify(latest));
    unstored = null;
  } catch {
    unstored = latest;
  }
  return latest;
}
