/** A start-up error that names each variable that is missing or invalid. */
export class ConfigurationError extends Error {
  override name = 'ConfigurationError';
}
