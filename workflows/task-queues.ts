import type { Environment } from '../src/domain/environment';

/**
 * `billing-…`: workflows, and activities that need only Postgres. `providers-…`: activities that wait for payment
 * providers, so that a slow provider delays nothing else. Each environment has its own queues, so that a sandbox
 * catching up on years takes no worker time from production.
 */
export type TaskQueue = `${'billing' | 'providers'}-${Environment}`;

/**
 * The shared queues of earlier versions. Workflows that began there sleep there, and continue on their environment's
 * queue once they wake (`continue-run-as-new.ts`).
 */
export const EARLIER_QUEUES = { billing: 'billing', providers: 'providers' } as const;

export function billingQueue(environment: Environment): TaskQueue {
  return `billing-${environment}`;
}

export function providersQueue(environment: Environment): TaskQueue {
  return `providers-${environment}`;
}
