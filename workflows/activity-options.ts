import type { ActivityOptions, LocalActivityOptions } from '@temporalio/workflow';

/** Postgres will come back: retry often until it does, without a limit. */
export const POSTGRES = {
  startToCloseTimeout: '5s',
  retry: { initialInterval: '200ms', backoffCoefficient: 2, maximumInterval: '2s' },
} as const satisfies ActivityOptions;

/** Postgres is nearly always available: a few tries, then the queue's retries take over. */
export const IN_WORKER = {
  startToCloseTimeout: '5s',
  retry: { initialInterval: '100ms', backoffCoefficient: 2, maximumAttempts: 3 },
} as const satisfies LocalActivityOptions;

/**
 * A provider may be away for long. After a few attempts the failure is recorded in the row and the workflow asks again
 * later, so that other commands can run in between. The run sets the task queue.
 */
export const PROVIDER = {
  startToCloseTimeout: '20s',
  scheduleToCloseTimeout: '2m',
  retry: { initialInterval: '500ms', backoffCoefficient: 3, maximumInterval: '10s', maximumAttempts: 3 },
} as const satisfies ActivityOptions;

/**
 * The same for an activity that reads the row, makes the calls and writes their outcome. A missing heartbeat shows that
 * the worker has died, long before the time-out.
 */
export const AT_PROVIDER = {
  ...PROVIDER,
  startToCloseTimeout: '60s',
  heartbeatTimeout: '12s',
  scheduleToCloseTimeout: '4m',
} as const satisfies ActivityOptions;

/** Number of tries; the last one records an unknown outcome. */
export const PROVIDER_TRIES = PROVIDER.retry.maximumAttempts;

/** For an activity that processes everything of a connection, page by page. */
export const WHOLE_CONNECTION = {
  ...PROVIDER,
  startToCloseTimeout: '10m',
  scheduleToCloseTimeout: '40m',
  retry: { initialInterval: '30s', backoffCoefficient: 4, maximumInterval: '5m', maximumAttempts: 3 },
} as const satisfies ActivityOptions;
