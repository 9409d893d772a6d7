import { Histogram, type Registry } from 'prom-client';

/** Counts and times answered requests by host, route and status. */
export interface HttpMetrics {
  observe(host: string, route: string, status: number, seconds: number): void;
}

export function createHttpMetrics(registry: Registry): HttpMetrics {
  const duration = new Histogram({
    name: 'tollgate_http_request_duration_seconds',
    help: 'Time from the request to its answer, by host, route and status.',
    labelNames: ['host', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  });
  return {
    observe: (host, route, status, seconds) => {
      duration.observe({ host, route, status: String(status) }, seconds);
    },
  };
}
