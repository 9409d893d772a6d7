/** Request limits of a secret key, over all API processes together. */
export interface KeyLimits {
  requestsPerSecond: number;
  /** Requests in progress at the same time. */
  concurrentRequests: number;
}

/** Limits of an organization that has set none. */
export const DEFAULT_KEY_LIMITS: KeyLimits = { requestsPerSecond: 5_000, concurrentRequests: 2_000 };

/** Maximum value of the setting. */
export const MAX_KEY_REQUESTS = 1_000_000;

/**
 * Returns one process's share of the limits, rounded up so that every process serves at least one request.
 *
 * @param processes number of running API processes, including this one
 */
export function shareOf(limits: KeyLimits, processes: number): KeyLimits {
  const among = Math.max(1, processes);
  return {
    requestsPerSecond: Math.ceil(limits.requestsPerSecond / among),
    concurrentRequests: Math.ceil(limits.concurrentRequests / among),
  };
}
