/** Why `npm run listen` cannot continue, worded for its user. */
export class ListenError extends Error {
  override name = 'ListenError';
}
