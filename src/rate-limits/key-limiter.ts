import { RateLimiterMemory } from 'rate-limiter-flexible';
import { TollgateError } from '../domain/errors';
import { shareOf, type KeyLimits } from '../domain/key-limits';

/** What a key's limits say of a request. */
export interface Admission {
  /** For its answer, granted or refused: draft-ietf-httpapi-ratelimit-headers. */
  headers: Record<string, string>;
  /** Why it is refused (rate_limited); null where it is not. */
  refusal: TollgateError | null;
  /** The request is no longer under way. To be called once, where it was not refused. */
  release: () => void;
}

/** Counts what each key asks of this process. */
export interface KeyLimiter {
  admit(keyId: string, limits: KeyLimits): Promise<Admission>;
}

type Limit = keyof KeyLimits;

/** The counter never refuses by itself: what a key may do is a setting, and may change within a second. */
const UNBOUNDED = Number.MAX_SAFE_INTEGER;

/**
 * Limits keys by requests a second, in windows of one second from the first request, and by requests under way.
 *
 * @param processes how many API processes share each limit
 * @param onRefused told of each refusal
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

  /** The same text for the same limits. */
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
      // The window ends by a timer; by a clock that was set back it would seem to last for hours.
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
        const what = `sent more than ${share.requestsPerSecond} requests in a second`;
        return refuse('requestsPerSecond', what, seconds);
      }
      const now = underWay.get(keyId) ?? 0;
      if (now >= share.concurrentRequests) {
        return refuse('concurrentRequests', `${now} requests under way, as many as it may have`, 1);
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
