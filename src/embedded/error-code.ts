/** The `code` of an error of the operating system or of Postgres, such as ENOENT or 28P01. */
export function errorCode(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}
