/** What keeps `npm run listen` from going on, in words for the one who started it. */
export class ListenError extends Error {
  override name = 'ListenError';
}
