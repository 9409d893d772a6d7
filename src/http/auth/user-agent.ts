/** Returns the caller's user agent, for the list of sessions. */
export function userAgentOf(headers: Readonly<Record<string, string | string[] | undefined>>): string | null {
  const value = headers['user-agent'];
  return typeof value === 'string' ? value : null;
}
