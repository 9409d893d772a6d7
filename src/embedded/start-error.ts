/** The installation cannot start as things are; the message says what is wrong, and needs no stack. */
export class StartError extends Error {
  override name = 'StartError';
}
