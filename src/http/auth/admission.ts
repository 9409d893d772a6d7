import { RateLimiterMemory } from 'rate-limiter-flexible';
import { TollgateError } from '../../domain/errors';
import { addressBlock } from '../../operators/address-block';

/** Who may send a request at all, where nobody has to prove who they are. Asked before anything of it is read. */
export interface Admission {
  /** @throws TollgateError login_throttled with the seconds to wait */
  admit(ip: string): Promise<void>;
  /** Counts a request that was refused for its form, which no guess at a password is. */
  malformed(ip: string): Promise<void>;
}

/** A form that is filled in wrongly is mended long before; a flood of them is nobody's form. */
const MOST_MALFORMED = 60;
const WINDOW_SECONDS = 60;

/** By address and in this process: what it bounds is this process's work. */
export function createAdmission(): Admission {
  const refused = new RateLimiterMemory({ points: MOST_MALFORMED, duration: WINDOW_SECONDS });
  return {
    async admit(ip) {
      const state = await refused.get(addressBlock(ip));
      if (state === null || state.consumedPoints < MOST_MALFORMED) return;
      const seconds = Math.max(1, Math.ceil(state.msBeforeNext / 1_000));
      throw new TollgateError(
        'login_throttled',
        `Too many requests from this address were malformed. Try again in ${seconds} seconds.`,
        { retryAfter: seconds },
      );
    },
    async malformed(ip) {
      await refused.penalty(addressBlock(ip));
    },
  };
}
