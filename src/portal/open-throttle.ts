import { TollgateError } from '../domain/errors';
import type { Clock } from '../clock/system-clock';
import { ipPrefix } from '../operators/ip-prefix';
import type { Charge } from '../operators/login-throttle';
import { TokenBuckets } from '../rate-limits/token-buckets';

/** Links from one address that open nothing: more at once than people have, and few in an hour. */
const MISSING = { aSecond: 1 / 10, burst: 20 };
/**
 * Links from one address, whatever they open: what looking them up may cost. An office shares an address, so it is far
 * above what its people need; whoever guesses behind the same one slows their own guesses down, not them.
 */
const LOOKING = { aSecond: 20, burst: 200 };
/** Requests of one session: a page asks a few a minute. */
const ASKING = { aSecond: 5, burst: 60 };

/** What one caller may ask of customers' pages; each process counts for itself. */
export interface PortalThrottle {
  /** Before the link is read. What opens a page is taken back. @throws TollgateError rate_limited */
  admit(ip: string): Promise<Charge>;
  /**
   * Counts a link that opens nothing, after it was looked up: 256 random bits are not guessed, so one that is right is
   * let through however many were wrong.
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
      const takeBack = (): Promise<void> => {
        looking.refund(from, 1, clock.now());
        return Promise.resolve();
      };
      return Promise.resolve({ of: 'address', takeBack });
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
  return new TollgateError('rate_limited', `There were too many requests. Try again in ${seconds} seconds.`, {
    retryAfter: seconds,
  });
}
