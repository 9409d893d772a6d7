import { Counter, type Registry } from 'prom-client';
import { ENVIRONMENTS, type Environment } from '../domain/environment';
import type { UsageCall } from './usage-call';

/** Counts a denied check or track. */
export type CountDenial = (environment: Environment, operation: UsageCall['operation']) => void;

const OPERATIONS = ['check', 'track'] as const;

/** Registers the metric `tollgate_usage_denials_total`. */
export function createDenialCounter(registry: Registry): CountDenial {
  const counter = new Counter({
    name: 'tollgate_usage_denials_total',
    help: 'Checks and tracks that were denied, by environment.',
    labelNames: ['environment', 'operation'],
    registers: [registry],
  });
  for (const environment of ENVIRONMENTS) {
    for (const operation of OPERATIONS) counter.inc({ environment, operation }, 0);
  }
  return (environment, operation) => {
    counter.inc({ environment, operation });
  };
}
