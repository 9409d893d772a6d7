import { countInWords } from '../domain/count-in-words';
import { TollgateError } from '../domain/errors';
import type { Clock } from '../clock/system-clock';
import { ipPrefix } from '../operators/ip-prefix';
import type { Charge } from '../operators/login-throttle';
import { TokenBuckets } from '../rate-limits/token-buckets';

/** Links from one address that open nothing: a burst larger than people need, and few per hour. */
const MISSING = { aSecond: 1 / 10, burst: 20 };
/**
 * Look-ups of links from one address, whatever they open. An office shares an address, so the limit is far above what
 * its people need: guessing from the same address slows the guesses down, not them.
 */
const LOOKING = { aSecond: 20, burst: 200 };
/** Requests of one session. A page makes a few a minute. */
const ASKING = { aSecond: 5, burst: 60 };

/** Limits requests to customers' pages. Each process counts on its own. */
export interface PortalThrottle {
  /**
   * Charges an address before the link is read. The charge is refunded if the link opens a page.
   *
   * @throws TollgateError rate_limited
   */
  admit(ip: string): Promise<Charge>;
  /**
   * Counts a link that opens nothing, after its look-up. 256 random bits cannot be guessed, so a valid link is admitted
   * however many invalid ones came before.
   *
   * @throws TollgateError rate_limited
   */
  miss(ip: string): void;
  /** @throws TollgateError rate_limited */
  ask(sessionId: string): void;
}

export function createPortalThrottle(clock: Clock): PortalThrottle {
  const looking = new TokenBuckets(LOOKING);
  const missing = new TokenBuckets(MISSING);
  const asking = new TokenBuckets(ASKING);
  return {
    admit(ip) {
      const from = ipPrefix(ip);
      const seconds = looking.take(from, 1, clock.now());
      if (seconds > 0) return Promise.reject(limited(seconds));
      const refund = (): Promise<void> => {
        looking.refund(from, 1, clock.now());
        return Promise.resolve();
      };
      return Promise.resolve({ of: 'address', refund });
    },
    miss(ip) {
      const seconds = missing.take(ipPrefix(ip), 1, clock.now());
      if (seconds > 0) throw limited(seconds);
    },
    ask(sessionId) {
      const seconds = asking.take(sessionId, 1, clock.now());
      if (seconds > 0) throw limited(seconds);
    },
  };
}

function limited(seconds: number): TollgateError {
  const wait = countInWords(seconds, 'second');
  return new TollgateError('rate_limited', `There were too many requests. Try again in ${wait}.`, {
    retryAfter: seconds,
  });
}
