import type { Instant } from '../domain/instant';

interface Bucket {
  tokens: number;
  at: Instant;
}

/** Above this number of keys the least recently used are dropped, because unauthenticated senders choose them. */
const MAX_KEYS = 20_000;

/** A token bucket per key: `burst` at once, refilled by `aSecond` each second. */
export class TokenBuckets {
  private readonly buckets = new Map<string, Bucket>();

  constructor(private readonly bounds: { aSecond: number; burst: number }) {}

  /**
   * Takes tokens. A request for more than `burst` needs a full bucket.
   *
   * @returns 0 when they were taken; otherwise the seconds to wait, and nothing is taken
   */
  take(key: string, tokens: number, now: Instant): number {
    const { aSecond, burst } = this.bounds;
    const bucket = this.at(key, now);
    const wanted = Math.min(tokens, burst);
    if (bucket.tokens < wanted) return Math.max(1, Math.ceil((wanted - bucket.tokens) / aSecond));
    bucket.tokens -= tokens;
    return 0;
  }

  /** Returns tokens, for example once the sender is authenticated. */
  refund(key: string, tokens: number, now: Instant): void {
    const bucket = this.at(key, now);
    bucket.tokens = Math.min(this.bounds.burst, bucket.tokens + tokens);
  }

  private at(key: string, now: Instant): Bucket {
    const { aSecond, burst } = this.bounds;
    const known = this.buckets.get(key);
    const since = known === undefined ? 0 : Math.max(0, now - known.at) / 1_000;
    const tokens = known === undefined ? burst : Math.min(burst, known.tokens + since * aSecond);
    const bucket = { tokens, at: now };
    // Moves the key to the end of the map's order, so that the first key is the least recently used.
    this.buckets.delete(key);
    this.buckets.set(key, bucket);
    if (this.buckets.size > MAX_KEYS) {
      const [oldest] = this.buckets.keys();
      if (oldest !== undefined) this.buckets.delete(oldest);
    }
    return bucket;
  }
}
