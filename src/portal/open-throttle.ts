import { TollgateError } from '../domain/errors';
import type { Clock } from '../clock/system-clock';
import { ipPrefix } from '../operators/ip-prefix';
import type { Charge } from '../operators/login-throttle';
import { TokenBuckets } from '../rate-limits/token-buckets';

/** Links from one address that open nothing: more at once than people have, and few in an hour. */
const OPENING = { aSecond: 1 / 10, burst: 20 };
/** Requests of one session: a page asks a few a minute. */
const ASKING = { aSecond: 5, burst: 60 };

/** What one caller may ask of customers' pages; each process counts for itself. */
export interface PortalThrottle {
  /** Before the link is read. @throws TollgateError rate_limited */
  admit(ip: string): Promise<Charge>;
  /** @throws TollgateError rate_limited */
  ask(sessionId: string): void;
}

export function createPortalThrottle(clock: Clock): PortalThrottle {
  const opening = new TokenBuckets(OPENING);
  const asking = new TokenBuckets(ASKING);
  return {
    admit(ip) {
      const from = ipPrefix(ip);
      const seconds = opening.take(from, 1, clock.now());
      if (seconds > 0) return Promise.reject(limited(seconds));
      const takeBack = (): Promise<void> => {
        opening.refund(from, 1, clock.now());
        return Promise.resolve();
      };
      return Promise.resolve({ of: 'address', takeBack });
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
