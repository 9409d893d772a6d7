import { RateLimiterMemory } from 'rate-limiter-flexible';
import { countInWords } from '../domain/count-in-words';
import { TollgateError } from '../domain/errors';
import { shareOf, type KeyLimits } from '../domain/key-limits';

/** Outcome of a key's limits for a request. */
export interface Admission {
  /** Headers of the response, granted or refused: draft-ietf-httpapi-ratelimit-headers. */
  headers: Record<string, string>;
  /** Why the request is refused (rate_limited); null if it is admitted. */
  refusal: TollgateError | null;
  /** Marks the request as finished. To be called once, if it was not refused. */
  release: () => void;
}

/** Counts the requests of each key in this process. */
export interface KeyLimiter {
  admit(keyId: string, limits: KeyLimits): Promise<Admission>;
}

type Limit = keyof KeyLimits;

/** The counter itself never refuses, because a key's limits are a setting that may change within a second. */
const UNBOUNDED = Number.MAX_SAFE_INTEGER;

/**
 * Limits keys by requests per second, in windows of one second from the first request, and by concurrent requests.
 *
 * @param processes number of API processes that share each limit
 * @param onRefused called for each refusal
 */
export function createKeyLimiter(options: {
  processes: () => number;
  onRefused: (keyId: string, limit: Limit) => void;
  /** The length of a window, for tests. */
  windowSeconds?: number;
}): KeyLimiter {
  const { processes, onRefused, windowSeconds = 1 } = options;
  const window = new RateLimiterMemory({ points: UNBOUNDED, duration: windowSeconds });
  const underWay = new Map<string, number>();
  const policies = new Map<string, string>();

  /** Caches the text of the same limits. */
  function policyOf({ requestsPerSecond, concurrentRequests }: KeyLimits): string {
    const name = `${requestsPerSecond} ${concurrentRequests}`;
    const known = policies.get(name);
    if (known !== undefined) return known;
    if (policies.size > 1_000) policies.clear();
    const policy = `"second";q=${requestsPerSecond};w=${windowSeconds}, "concurrent";q=${concurrentRequests};qu="concurrent-requests"`;
    policies.set(name, policy);
    return policy;
  }

  function release(keyId: string): void {
    const left = (underWay.get(keyId) ?? 1) - 1;
    if (left === 0) underWay.delete(keyId);
    else underWay.set(keyId, left);
  }

  return {
    async admit(keyId, limits) {
      const share = shareOf(limits, processes());
      const { consumedPoints, msBeforeNext } = await window.consume(keyId);
      // A timer ends the window; measured by a clock that was set back, it would seem to last for hours.
      const seconds = Math.min(windowSeconds, Math.max(1, Math.ceil(msBeforeNext / 1_000)));
      const remaining = Math.max(0, share.requestsPerSecond - consumedPoints);
      const headers = {
        'RateLimit-Policy': policyOf(share),
        RateLimit: `"second";r=${remaining};t=${seconds}`,
      };
      const refuse = (limit: Limit, what: string, retryAfter: number): Admission => {
        onRefused(keyId, limit);
        const detail = `This key has ${what}. Nothing was done.`;
        const refusal = new TollgateError('rate_limited', detail, { extra: { limit }, retryAfter });
        return { headers, refusal, release: () => undefined };
      };
      if (consumedPoints > share.requestsPerSecond) {
        const what = `sent more than ${countInWords(share.requestsPerSecond, 'request')} in a second`;
        return refuse('requestsPerSecond', what, seconds);
      }
      const now = underWay.get(keyId) ?? 0;
      if (now >= share.concurrentRequests) {
        const what = `${countInWords(now, 'request')} in progress, and may have no more`;
        return refuse('concurrentRequests', what, 1);
      }
      underWay.set(keyId, now + 1);
      return {
        headers,
        refusal: null,
        release: () => {
          release(keyId);
        },
      };
    },
  };
}
