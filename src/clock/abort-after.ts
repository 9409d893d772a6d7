/**
 * Returns a signal that fires after a time, or when `stopped` does. `AbortSignal.any` with `AbortSignal.timeout` would
 * do the same, but Node 20 forgets that timeout if garbage is collected meanwhile, and the signal then never fires.
 *
 * @param ms real time (milliseconds)
 * @returns fires with a `TimeoutError`, or with the reason of `stopped`
 */
export function abortAfter(ms: number, stopped: AbortSignal): AbortSignal {
  const late = new AbortController();
  setTimeout(() => {
    late.abort(new DOMException('It took too long.', 'TimeoutError'));
  }, ms).unref();
  return AbortSignal.any([stopped, late.signal]);
}
