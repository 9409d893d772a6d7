import { setTimeout as pause } from 'node:timers/promises';

/**
 * Waits until a server says it is ready.
 *
 * @param url answers 200 when it is
 * @param patience milliseconds
 * @param stopped ends the waiting with its reason
 * @returns whether it was ready in time
 */
export async function untilReady(url: string, patience: number, stopped: AbortSignal): Promise<boolean> {
  const deadline = AbortSignal.timeout(patience);
  while (!deadline.aborted) {
    stopped.throwIfAborted();
    const answer = await fetch(url, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined);
    await answer?.body?.cancel();
    if (answer?.ok === true) return true;
    await pause(100);
  }
  return false;
}
