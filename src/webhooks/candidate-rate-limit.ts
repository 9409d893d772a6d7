import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Environment } from '../domain/environment';

/** Verification calls to provider B for webhooks that name no connection, per minute, process and host. */
const TRIALS_A_MINUTE = 120;

/** Limits the verification calls to provider B that webhooks without a connection cause. */
export interface CandidateRateLimit {
  /** Takes tokens for trials. @returns null if they were taken; otherwise the seconds to wait */
  take(environment: Environment, trials: number): Promise<number | null>;
}

export function createCandidateRateLimit(): CandidateRateLimit {
  const limiter = new RateLimiterMemory({ points: TRIALS_A_MINUTE, duration: 60 });
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
