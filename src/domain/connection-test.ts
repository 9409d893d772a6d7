/** The checks of a connection's test that are about its credentials. */
const OF_CREDENTIALS: readonly string[] = ['authentication', 'permissions'];

/**
 * Returns whether a comparison of the connection's subscriptions says other than its last test, so that it is tested
 * again: the provider refuses its credentials, or accepts them although they failed. Silence says nothing.
 *
 * @param answers how many subscriptions the provider answered for, and for how many it refused the credentials
 * @param failedChecks of the last test
 */
export function needsTest(
  { answered, refused }: { answered: number; refused: number },
  failedChecks: readonly string[],
): boolean {
  // With one refused of several, a single subscription may be out of reach.
  if (answered === 0) return refused > 0;
  return failedChecks.some((check) => OF_CREDENTIALS.includes(check));
}
