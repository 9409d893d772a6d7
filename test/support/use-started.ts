/**
 * Starts something before the tests of a file or `describe` block, and stops it after them. Jest runs hooks of one
 * kind in the order in which they were registered. So a `beforeAll` below finds it started, and an `afterAll` below
 * finds it stopped: what has to be stopped earlier belongs in `stop`.
 *
 * @returns what was started. Using it earlier throws; after a failed start, using it throws the same error again
 */
export function useStarted<Started extends { stop(): Promise<void> }>(
  start: () => Promise<Started>,
  stop: (started: Started) => Promise<void> = (started) => started.stop(),
): Started {
  let state: { started: Started } | { failure: unknown } | undefined;
  beforeAll(async () => {
    try {
      state = { started: await start() };
    } catch (failure) {
      state = { failure };
      throw failure;
    }
  });
  afterAll(async () => {
    if (state !== undefined && 'started' in state) await stop(state.started);
  });
  const current = (): Started => {
    if (state === undefined)
      throw new Error('It has not started: use it in a test or a hook, not while tests are declared.');
    if ('failure' in state) throw state.failure;
    return state.started;
  };
  return new Proxy({} as Started, {
    get: (_, member) => Reflect.get(current(), member) as unknown,
    set: (_, member, value) => Reflect.set(current(), member, value),
  });
}
