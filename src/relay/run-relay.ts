import { once } from 'node:events';
import type { Client } from '@temporalio/client';
import { run, type Runner, type WorkerEvents } from 'graphile-worker';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { Clock } from '../clock/system-clock';
import { createCommandSender } from '../temporal/command-sender';
import { requirePermission } from '../temporal/require-permission';
import { retryUntilStopped } from '../temporal/retry-until-stopped';
import { ensureSearchAttributes } from '../temporal/search-attributes';
import { isOutage } from '../temporal/unavailable';
import { rescheduleWorkflowId } from '../temporal/workflow-ids';
import { stateOfWorkflow } from '../temporal/workflow-probe';
import { createWorkflowSignals } from '../temporal/workflow-signals';
import type { WorkspaceScope } from '../tenancy/actor';
import { createJobLogger } from './job-logger';
import { openQueuePool } from './queue-pool';
import { createTasks } from './tasks';

interface RelayOptions {
  /** Connection URL of tollgate_relay. */
  databaseUrl: string;
  /** The caller closes it. */
  client: Client;
  clock: Clock;
  log: Logger;
}

/** Jobs that run at once. */
const CONCURRENCY = 5;
/** After this many consecutive failures to fetch a job, the job runner is restarted. */
const MAX_CONSECUTIVE_FAILURES = 2 * CONCURRENCY;
/** Postgres notifies of each committed job; polling covers lost notifications. */
const POLL_MS = 2_000;

/**
 * Runs the outbox's jobs until the process stops. A failed job is retried at growing intervals. While Temporal is
 * unavailable, refuses our credentials or has no such namespace, no job is fetched, so that none uses up its attempts,
 * and all continue within seconds of its return.
 */
export async function runRelay(options: RelayOptions, stopping: AbortSignal): Promise<void> {
  const { log } = options;
  const pool = openQueuePool(options.databaseUrl, CONCURRENCY + 1, log);
  try {
    await retryUntilStopped('the relay', () => relayWhileTemporalIsAvailable(options, pool, stopping), {
      stopping,
      log,
    });
  } finally {
    await pool.end();
  }
}

/** @throws Error if Temporal or the database is unavailable */
async function relayWhileTemporalIsAvailable(
  { client, clock, log }: RelayOptions,
  pool: Pool,
  stopping: AbortSignal,
): Promise<void> {
  await requirePermission(client, clock);
  await ensureSearchAttributes(client, clock, log);
  const outage = new AbortController();
  const runner = await run({
    pgPool: pool,
    concurrency: CONCURRENCY,
    pollInterval: POLL_MS,
    noHandleSignals: true,
    noPreparedStatements: true,
    // Without a batch delay (0 counts as one), graphile-worker 0.17 does not await the statement that ends a job: its
    // failure would end the process, and `stop` would not wait for it.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    // Otherwise graphile-worker reads a crontab file in the working directory.
    parsedCronItems: [],
    logger: createJobLogger(log),
    taskList: createTasks({
      signals: createWorkflowSignals(client, clock),
      commands: createCommandSender(client, clock),
      hasEnded: createOperationProbe(pool, 'operation_has_ended'),
      hasStarted: createOperationProbe(pool, 'operation_has_started'),
      rescheduleState: ({ workspaceId, environment }, runId) =>
        stateOfWorkflow(client, clock, rescheduleWorkflowId(environment, workspaceId), runId),
      onError: (error) => {
        if (isOutage(error)) outage.abort(error);
      },
    }),
  });
  const { events } = runner;
  onRepeatedFailure(events, (error) => {
    outage.abort(error);
  });
  events.on('pool:fatalError', ({ error }) => {
    outage.abort(error);
  });
  const brokenRunnerIsIdle = endOfBrokenRunner(events);
  log.info('relaying');
  const stop = AbortSignal.any([stopping, outage.signal]);
  if (!stop.aborted) await Promise.race([runner.promise, once(stop, 'abort')]);
  await Promise.race([drain(runner), brokenRunnerIsIdle]);
  if (stopping.aborted) return;
  throw outage.signal.reason ?? new Error('The job queue stopped unexpectedly.');
}

/**
 * Detects a job runner that can no longer fetch jobs: graphile-worker 0.17 caches its first look-up of the tasks, even
 * a failed one (`getTaskDetails`), so a connection lost during start-up leaves it without jobs.
 */
function onRepeatedFailure(events: WorkerEvents, give: (error: unknown) => void): void {
  let failures = 0;
  const taken = (): void => {
    failures = 0;
  };
  events.on('worker:getJob:empty', taken);
  events.on('job:start', taken);
  events.on('worker:getJob:error', ({ error }) => {
    failures += 1;
    if (failures === MAX_CONSECUTIVE_FAILURES) give(error);
  });
}

/**
 * Resolves once a runner that could not write the end of a job has finished its other jobs. graphile-worker 0.17 stops
 * such a runner, but counts its pending writes below zero if further jobs end meanwhile, and then its own promises
 * never settle. The job itself is run again.
 */
async function endOfBrokenRunner(events: WorkerEvents): Promise<void> {
  const idle = new Promise<void>((resolve) => {
    let running = CONCURRENCY;
    events.on('worker:stop', () => {
      running -= 1;
      if (running === 0) resolve();
    });
  });
  await once(events, 'pool:fatalError');
  await idle;
}

/** Stops the runner after the running jobs have finished. */
async function drain(runner: Runner): Promise<void> {
  // `stop` rejects only if the runner has already stopped.
  await runner.stop().catch(() => undefined);
  await runner.promise.catch(() => undefined);
}

/** Asks about an operation, through the only functions on tenants' rows that tollgate_relay may call. */
function createOperationProbe(
  pool: Pool,
  question: 'operation_has_ended' | 'operation_has_started',
): (scope: WorkspaceScope, operationId: string) => Promise<boolean> {
  return async ({ workspaceId, environment }, operationId) => {
    const { rows } = await pool.query<{ answer: boolean }>(
      `SELECT tollgate.${question}($1, $2, $3) AS answer`,
      [workspaceId, environment, operationId],
    );
    return rows[0]?.answer === true;
  };
}
