import type { ActivityOptions, LocalActivityOptions } from '@temporalio/workflow';

/** Postgres comes back: until then it is asked often, and for as long as it takes. */
export const POSTGRES = {
  startToCloseTimeout: '5s',
  retry: { initialInterval: '200ms', backoffCoefficient: 2, maximumInterval: '2s' },
} as const satisfies ActivityOptions;

/** Postgres is there nearly always. A few tries, and what then fails still is waited for on the queue. */
export const IN_WORKER = {
  startToCloseTimeout: '5s',
  retry: { initialInterval: '100ms', backoffCoefficient: 2, maximumAttempts: 3 },
} as const satisfies LocalActivityOptions;

/**
 * A provider may not come back soon. A few attempts, and then the failure stands in the row and the workflow asks
 * again later: meanwhile it is free for whatever else is asked of it. Its task queue is the run's to say.
 */
export const PROVIDER = {
  startToCloseTimeout: '20s',
  scheduleToCloseTimeout: '2m',
  retry: { initialInterval: '500ms', backoffCoefficient: 3, maximumInterval: '10s', maximumAttempts: 3 },
} as const satisfies ActivityOptions;

/**
 * The same where one activity reads the row, makes the calls, and writes their outcome. A missing heartbeat
 * shows that the worker has died, long before the time-out.
 */
export const AT_PROVIDER = {
  ...PROVIDER,
  startToCloseTimeout: '60s',
  heartbeatTimeout: '12s',
  scheduleToCloseTimeout: '4m',
} as const satisfies ActivityOptions;

/** So many tries; the last one writes a doubt down. */
export const PROVIDER_TRIES = PROVIDER.retry.maximumAttempts;

/** Where one activity goes through all that a connection has, page by page. */
export const WHOLE_CONNECTION = {
  ...PROVIDER,
  startToCloseTimeout: '10m',
  scheduleToCloseTimeout: '40m',
  retry: { initialInterval: '30s', backoffCoefficient: 4, maximumInterval: '5m', maximumAttempts: 3 },
} as const satisfies ActivityOptions;
