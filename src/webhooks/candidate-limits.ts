import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Environment } from '../domain/environment';

/** How many connections of B are asked about webhooks that name none, a minute, in one process and on one host. */
const TRIALS_A_MINUTE = 120;

/** Bounds what strangers have provider B asked with webhooks that name no connection. */
export interface CandidateLimits {
  /** Counts trials. @returns the seconds to wait when there are too many; null when they may be made */
  take(environment: Environment, trials: number): Promise<number | null>;
}

export function createCandidateLimits(trialsAMinute = TRIALS_A_MINUTE): CandidateLimits {
  const limiter = new RateLimiterMemory({ points: trialsAMinute, duration: 60 });
  return {
    async take(environment, trials) {
      try {
        await limiter.consume(environment, trials);
        return null;
      } catch (refusal) {
        if (!(refusal instanceof RateLimiterRes)) throw refusal;
        return Math.max(1, Math.ceil(refusal.msBeforeNext / 1000));
      }
    },
  };
}
