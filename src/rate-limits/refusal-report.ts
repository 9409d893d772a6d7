import type { Logger } from 'pino';
import { Counter, type Registry } from 'prom-client';
import type { Clock } from '../clock/system-clock';
import type { KeyLimits } from '../domain/key-limits';
import { createRateLimitedLog } from '../telemetry/rate-limited-log';

const LIMITS = ['requestsPerSecond', 'concurrentRequests'] as const;

/** Counts refusals in `tollgate_key_refusals_total`, and logs each key at most once a minute. */
export function createRefusalReport(options: {
  registry: Registry;
  log: Logger;
  clock: Clock;
}): (keyId: string, limit: keyof KeyLimits) => void {
  const counter = new Counter({
    name: 'tollgate_key_refusals_total',
    help: 'Requests that were answered 429 because of their API key, by limit.',
    labelNames: ['limit'],
    registers: [options.registry],
  });
  for (const limit of LIMITS) counter.inc({ limit }, 0);
  const limited = createRateLimitedLog(options.log, options.clock);
  return (apiKeyId, limit) => {
    counter.inc({ limit });
    limited.warn(apiKeyId, { apiKeyId, limit }, 'an API key has reached a limit');
  };
}
