/** A start-up error that names each variable that is missing or invalid. */
export class ConfigurationError extends Error {
  override name = 'ConfigurationError';
}

/** Lists several variables, one on each line. */
export class IncompleteConfigurationError extends ConfigurationError {
  constructor(readonly problems: readonly string[]) {
    super(
      `The configuration is incomplete or wrong (docs/configuration.md lists every variable):\n  ${problems.join('\n  ')}`,
    );
  }
}
