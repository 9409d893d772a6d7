import type { Clock } from '../clock/clock';
import { TollgateError } from '../domain/errors';
import type { Instant } from '../domain/instant';
import { addressBlock } from '../operators/address-block';
import type { Host } from './lookup-store';
import { TokenBuckets } from '../rate-limits/token-buckets';
import type { TurnedAway } from './turned-away';

/** What a webhook shows before its body is read. */
interface Arrival extends Host {
  connectionId: string | null;
  /** Of its Content-Length; null when it does not say. */
  length: number | null;
  ip: string;
  /** Its verification is a call to the provider. */
  asks: boolean;
}

/** A webhook that may be read and looked at. */
export interface Admitted {
  /** Its place is free again; only the first call counts. One that was verified has cost its address nothing. */
  leave(verified: boolean): void;
}

export interface Admission {
  /** @throws TollgateError webhook_throttled */
  admit(arrival: Arrival): Admitted;
}

const KILOBYTE = 1024;
const MEGABYTE = 1024 * KILOBYTE;

/** Bounds of what has not been verified, in one process. */
const BOUNDS = {
  /**
   * By address: work, of which a webhook costs one, and one more for each 4 KB of its body. Comparing a signature is
   * cheap, so that a flood from the address of a proxy leaves room for the provider's own behind it.
   */
  work: { aSecond: 5_000, burst: 10_000 },
  /** By address and connection: questions to provider B, each of which is a call. */
  questions: { aSecond: 1, burst: 50 },
  /** By address: questions to provider B about webhooks that name no connection. */
  unnamedQuestions: { aSecond: 1 / 3, burst: 20 },
  /** Bodies of up to 64 KB, as those of providers are, have places that no larger one takes. */
  small: { bytes: 64 * KILOBYTE, places: 4_000, ofAddress: 1_000 },
  large: { places: 32, ofAddress: 8 },
};

/**
 * Decides by address and connection, before a body is read, whether a webhook is looked at. What is turned away here
 * is no failed signature: it is counted and answered 429.
 *
 * @param bounds in place of those above, for tests
 */
export function createAdmission(
  { clock, turnedAway }: { clock: Clock; turnedAway: TurnedAway },
  bounds: Partial<typeof BOUNDS> = {},
): Admission {
  const { work, questions, unnamedQuestions, small, large } = { ...BOUNDS, ...bounds };
  const buckets = {
    work: new TokenBuckets(work),
    questions: new TokenBuckets(questions),
    unnamed: new TokenBuckets(unnamedQuestions),
  };
  const places = { small: new Places(small), large: new Places(large) };

  /** What it takes, as pairs of a bucket and its key; each is given back when the webhook is verified. */
  const costsOf = ({ asks, connectionId, length }: Arrival, address: string): Cost[] => {
    const costs: Cost[] = [
      { bucket: buckets.work, key: address, tokens: 1 + Math.ceil((length ?? MEGABYTE) / (4 * KILOBYTE)) },
    ];
    if (asks) {
      const named = { bucket: buckets.questions, key: `${address} ${connectionId ?? ''}`, tokens: 1 };
      costs.push(connectionId === null ? { ...named, bucket: buckets.unnamed } : named);
    }
    return costs;
  };

  return {
    admit(arrival) {
      const now = clock.now();
      const address = addressBlock(arrival.ip);
      const turnAway = (seconds: number): TollgateError => {
        turnedAway.count(arrival.environment, arrival.provider);
        return new TollgateError('webhook_throttled', 'Too many webhooks of this address were not signed.', {
          retryAfter: seconds,
        });
      };
      const place = places[(arrival.length ?? MEGABYTE) > small.bytes ? 'large' : 'small'];
      if (!place.enter(address)) throw turnAway(1);
      const paid: Cost[] = [];
      for (const cost of costsOf(arrival, address)) {
        const wait = cost.bucket.take(cost.key, cost.tokens, now);
        if (wait === 0) {
          paid.push(cost);
          continue;
        }
        giveBack(paid, now);
        place.leave(address);
        throw turnAway(wait);
      }
      let left = false;
      return {
        leave(verified) {
          if (left) return;
          left = true;
          place.leave(address);
          if (verified) giveBack(paid, clock.now());
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

function giveBack(paid: readonly Cost[], now: Instant): void {
  for (const { bucket, key, tokens } of paid) bucket.giveBack(key, tokens, now);
}

/** Places for bodies that are being read or looked at, of which an address gets a part. */
class Places {
  private taken = 0;
  private readonly byAddress = new Map<string, number>();

  constructor(private readonly bounds: { places: number; ofAddress: number }) {}

  enter(address: string): boolean {
    const own = this.byAddress.get(address) ?? 0;
    if (this.taken >= this.bounds.places || own >= this.bounds.ofAddress) return false;
    this.taken += 1;
    this.byAddress.set(address, own + 1);
    return true;
  }

  leave(address: string): void {
    const own = (this.byAddress.get(address) ?? 1) - 1;
    this.taken -= 1;
    if (own <= 0) this.byAddress.delete(address);
    else this.byAddress.set(address, own);
  }
}
