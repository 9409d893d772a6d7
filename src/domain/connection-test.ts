/** The checks of a connection's test that are about its credentials. */
const OF_CREDENTIALS: readonly string[] = ['authentication', 'permissions'];

/** For how many subscriptions or prices a provider answered, and for how many it refused the credentials. */
export interface ProviderAnswers {
  answered: number;
  refused: number;
}

/**
 * Returns whether a comparison of the connection's subscriptions or prices says other than its last test, so that it is
 * tested again: the provider refuses its credentials, or accepts them although they failed. Silence says nothing.
 *
 * @param failedChecks of the last test
 */
export function needsTest({ answered, refused }: ProviderAnswers, failedChecks: readonly string[]): boolean {
  // With one refused of several, a single subscription may be out of reach.
  if (answered === 0) return refused > 0;
  return failedChecks.some((check) => OF_CREDENTIALS.includes(check));
}
