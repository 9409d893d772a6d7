import type { Clock } from '../clock/system-clock';
import { TollgateError } from '../domain/errors';
import type { Instant } from '../domain/instant';
import { ipPrefix } from '../operators/ip-prefix';
import type { Host } from './connection-lookup-store';
import { TokenBuckets } from '../rate-limits/token-buckets';
import type { RejectedCounter } from './rejected-counter';

/** What is known of a webhook before its body is read. */
interface Arrival extends Host {
  connectionId: string | null;
  /** Content-Length; null without one. */
  length: number | null;
  ip: string;
  /** Whether verification needs a call to the provider. */
  isVerifiedByProvider: boolean;
}

/** A webhook whose body may be read. */
export interface AdmittedWebhook {
  /** Frees its slot; only the first call counts. A verified webhook is refunded its tokens. */
  release(verified: boolean): void;
}

export interface IngressLimiter {
  /** @throws TollgateError webhook_throttled */
  admit(arrival: Arrival): AdmittedWebhook;
}

const KILOBYTE = 1024;
const MEGABYTE = 1024 * KILOBYTE;

/** The size of the providers' own bodies. Larger ones are rare. */
export const ORDINARY_BYTES = 64 * KILOBYTE;

/** Limits on unverified webhooks, in one process. */
const BOUNDS = {
  /**
   * Work by address: one token per webhook, and one per 4 KB of its body. Comparing a signature is cheap, so the limit
   * is high enough for the provider's own webhooks behind a proxy whose address also sends a flood.
   */
  work: { aSecond: 5_000, burst: 10_000 },
  /** Verification calls to provider B, by address and connection. */
  calls: { aSecond: 1, burst: 50 },
  /** Verification calls to provider B for webhooks that name no connection, by address. */
  unnamedCalls: { aSecond: 1 / 3, burst: 20 },
  /** Ordinary bodies have slots that larger ones cannot take. */
  small: { bytes: ORDINARY_BYTES, places: 4_000, ofAddress: 1_000 },
  large: { places: 32, ofAddress: 8 },
};

/**
 * Decides by address and connection whether to process a webhook, before its body is read. A rejected webhook is
 * counted and answered 429; it does not count as a failed signature.
 */
export function createIngressLimiter({
  clock,
  rejected,
}: {
  clock: Clock;
  rejected: RejectedCounter;
}): IngressLimiter {
  const { work, calls, unnamedCalls, small, large } = BOUNDS;
  const buckets = {
    work: new TokenBuckets(work),
    calls: new TokenBuckets(calls),
    unnamed: new TokenBuckets(unnamedCalls),
  };
  const slots = { small: new Slots(small), large: new Slots(large) };

  /** The tokens that a webhook takes; all are refunded when it is verified. */
  const costsOf = (
    { isVerifiedByProvider: asks, connectionId, length }: Arrival,
    address: string,
  ): Cost[] => {
    const costs: Cost[] = [
      { bucket: buckets.work, key: address, tokens: 1 + Math.ceil((length ?? MEGABYTE) / (4 * KILOBYTE)) },
    ];
    if (asks) {
      const named = { bucket: buckets.calls, key: `${address} ${connectionId ?? ''}`, tokens: 1 };
      costs.push(connectionId === null ? { ...named, bucket: buckets.unnamed } : named);
    }
    return costs;
  };

  return {
    admit(arrival) {
      const now = clock.now();
      const address = ipPrefix(arrival.ip);
      const reject = (seconds: number): TollgateError => {
        rejected.count(arrival.environment, arrival.provider);
        return new TollgateError(
          'webhook_throttled',
          'Too many unsigned webhooks came from this IP address.',
          {
            retryAfter: seconds,
          },
        );
      };
      const slot = slots[(arrival.length ?? MEGABYTE) > small.bytes ? 'large' : 'small'];
      if (!slot.acquire(address)) throw reject(1);
      const paid: Cost[] = [];
      for (const cost of costsOf(arrival, address)) {
        const wait = cost.bucket.take(cost.key, cost.tokens, now);
        if (wait === 0) {
          paid.push(cost);
          continue;
        }
        refund(paid, now);
        slot.release(address);
        throw reject(wait);
      }
      let left = false;
      return {
        release(verified) {
          if (left) return;
          left = true;
          slot.release(address);
          if (verified) refund(paid, clock.now());
        },
      };
    },
  };
}

interface Cost {
  bucket: TokenBuckets;
  key: string;
  tokens: number;
}

function refund(paid: readonly Cost[], now: Instant): void {
  for (const { bucket, key, tokens } of paid) bucket.refund(key, tokens, now);
}

/** Slots for bodies in memory, with a limit per address. */
class Slots {
  private taken = 0;
  private readonly byAddress = new Map<string, number>();

  constructor(private readonly bounds: { places: number; ofAddress: number }) {}

  acquire(address: string): boolean {
    const own = this.byAddress.get(address) ?? 0;
    if (this.taken >= this.bounds.places || own >= this.bounds.ofAddress) return false;
    this.taken += 1;
    this.byAddress.set(address, own + 1);
    return true;
  }

  release(address: string): void {
    const own = (this.byAddress.get(address) ?? 1) - 1;
    this.taken -= 1;
    if (own <= 0) this.byAddress.delete(address);
    else this.byAddress.set(address, own);
  }
}
