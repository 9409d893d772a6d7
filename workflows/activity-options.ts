import type { ActivityOptions } from '@temporalio/workflow';

/** Postgres comes back: until then it is asked often, and for as long as it takes. */
export const POSTGRES = {
  startToCloseTimeout: '5s',
  retry: { initialInterval: '200ms', backoffCoefficient: 2, maximumInterval: '2s' },
} as const satisfies ActivityOptions;

/**
 * A provider may not come back soon. A few attempts, and then the failure stands in the row and the workflow asks
 * again later: meanwhile it is free for whatever else is asked of it.
 */
export const PROVIDER = {
  taskQueue: 'providers',
  startToCloseTimeout: '20s',
  scheduleToCloseTimeout: '2m',
  retry: { initialInterval: '500ms', backoffCoefficient: 3, maximumInterval: '10s', maximumAttempts: 3 },
} as const satisfies ActivityOptions;
