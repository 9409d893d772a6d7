/** How much a secret key may call, over all API processes together. */
export interface KeyLimits {
  requestsPerSecond: number;
  /** Requests that are under way at once. */
  concurrentRequests: number;
}

/** Those of an organization that has set none. */
export const DEFAULT_KEY_LIMITS: KeyLimits = { requestsPerSecond: 5_000, concurrentRequests: 2_000 };

/** What a setting may be. */
export const MOST_KEY_REQUESTS = 1_000_000;

/**
 * One process's part of a limit. It is rounded up, so that every process serves at least one request.
 *
 * @param processes API processes that run, this one among them
 */
export function shareOf(limits: KeyLimits, processes: number): KeyLimits {
  const among = Math.max(1, processes);
  return {
    requestsPerSecond: Math.ceil(limits.requestsPerSecond / among),
    concurrentRequests: Math.ceil(limits.concurrentRequests / among),
  };
}
