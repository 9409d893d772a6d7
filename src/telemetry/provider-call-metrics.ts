import { Histogram, type Registry } from 'prom-client';

/** Counts and times calls to payment providers. */
export function createProviderCallMetrics(
  registry: Registry,
): (environment: string, provider: string, outcome: string, seconds: number) => void {
  const duration = new Histogram({
    name: 'tollgate_provider_call_duration_seconds',
    help: 'Time of a call to a payment provider without its wait in our queue, by environment and outcome; `not_sent` when the queue rejected it, `credentials_refused` when the provider refused the key or its permission.',
    labelNames: ['environment', 'provider', 'outcome'],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20],
    registers: [registry],
  });
  return (environment, provider, outcome, seconds) => {
    duration.observe({ environment, provider, outcome }, seconds);
  };
}
