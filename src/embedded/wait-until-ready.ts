import { setTimeout as pause } from 'node:timers/promises';

/**
 * Polls a server until it is ready.
 *
 * @param url answers 2xx once the server is ready
 * @param timeoutMs milliseconds
 * @param stopped ends the wait with its reason
 * @returns whether it was ready in time
 */
export async function waitUntilReady(url: string, timeoutMs: number, stopped: AbortSignal): Promise<boolean> {
  const deadline = AbortSignal.timeout(timeoutMs);
  while (!deadline.aborted) {
    stopped.throwIfAborted();
    const answer = await fetch(url, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined);
    await answer?.body?.cancel();
    if (answer?.ok === true) return true;
    await pause(100);
  }
  return false;
}
