import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { WebhookProvider } from './connection-ref';
import type { Environment } from '../domain/environment';

/** How many connections may be tried for one webhook that names none. B is asked over the network for each. */
export const MOST_CANDIDATES: Record<WebhookProvider, number> = {
  provider_a: 50,
  provider_b: 2,
  provider_c: 50,
};

/** How many trials a minute, in one process and on one host. */
const TRIALS_A_MINUTE: Record<WebhookProvider, number> = {
  provider_a: 6_000,
  provider_b: 120,
  provider_c: 6_000,
};

/** Bounds the work that a stranger causes with webhooks that name no connection. */
export interface CandidateLimits {
  /** Counts trials. @returns the seconds to wait when there are too many; null when they may be made */
  take(environment: Environment, provider: WebhookProvider, trials: number): Promise<number | null>;
}

export function createCandidateLimits(trialsAMinute = TRIALS_A_MINUTE): CandidateLimits {
  const limiterOf = (provider: WebhookProvider): RateLimiterMemory =>
    new RateLimiterMemory({ keyPrefix: provider, points: trialsAMinute[provider], duration: 60 });
  const limiters = {
    provider_a: limiterOf('provider_a'),
    provider_b: limiterOf('provider_b'),
    provider_c: limiterOf('provider_c'),
  };
  return {
    async take(environment, provider, trials) {
      try {
        await limiters[provider].consume(environment, trials);
        return null;
      } catch (refusal) {
        if (!(refusal instanceof RateLimiterRes)) throw refusal;
        return Math.max(1, Math.ceil(refusal.msBeforeNext / 1000));
      }
    },
  };
}
