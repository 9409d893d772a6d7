/**
 * The link's token, taken out of the address: nothing that is loaded or left behind, and no history, has it afterwards.
 */
export function takeToken(): string | null {
  const token = window.location.hash.slice(1);
  if (token === '') return null;
  window.history.replaceState(null, '', window.location.pathname);
  return token;
}
