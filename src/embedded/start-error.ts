/** The installation cannot start in its current state. The message explains why, without a stack. */
export class StartError extends Error {
  override name = 'StartError';
}
