/**
 * Returns the link's token and removes it from the address, so that no loaded resource, later page or history entry
 * contains it.
 */
export function takeToken(): string | null {
  const token = window.location.hash.slice(1);
  if (token === '') return null;
  window.history.replaceState(null, '', window.location.pathname);
  return token;
}
