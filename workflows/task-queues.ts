import type { Environment } from '../src/domain/environment';

/**
 * `billing-…`: workflows, and activities that need nothing but Postgres. `providers-…`: activities that wait for
 * payment providers, so that a slow provider delays nothing else. Each environment has its own, so that a sandbox that
 * catches up on years takes no worker's time from production.
 */
export type TaskQueue = `${'billing' | 'providers'}-${Environment}`;

/**
 * The queues of versions that had one for both environments. Workflows that began there sleep there, and go on on
 * their environment's queue once they wake (`go-on-as-new.ts`).
 */
export const EARLIER_QUEUES = { billing: 'billing', providers: 'providers' } as const;

export function billingQueue(environment: Environment): TaskQueue {
  return `billing-${environment}`;
}

export function providersQueue(environment: Environment): TaskQueue {
  return `providers-${environment}`;
}
