import { once } from 'node:events';
import type { Client } from '@temporalio/client';
import { run, type Runner } from 'graphile-worker';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { Clock } from '../clock/clock';
import { isTemporalUnavailable } from '../temporal/grpc-errors';
import { retryUntilStopped } from '../temporal/retry-until-stopped';
import { ensureSearchAttributes } from '../temporal/search-attributes';
import { createWorkflowSignals } from '../temporal/workflow-signals';
import { createCommandSender } from '../temporal/command-sender';
import { createJobLogger } from './job-logger';
import { openQueuePool } from './queue-pool';
import { createOperationProbe } from './operation-probe';
import { createTasks } from './tasks';

export interface RelayOptions {
  /** The address of tollgate_relay. */
  databaseUrl: string;
  /** The caller closes it. */
  client: Client;
  clock: Clock;
  log: Logger;
}

/** So many jobs are under way at once. */
const CONCURRENCY = 5;
/** So many failures in a row to take a job, and it is begun anew. */
const MAX_CONSECUTIVE_FAILURES = 2 * CONCURRENCY;
/** A job is announced as it is committed; this is for when the announcement was missed (milliseconds). */
const POLL_MS = 2_000;

/**
 * Takes the jobs that committed transactions have left to where they belong, until the process stops. A job that
 * fails is retried with growing pauses. While Temporal is away no job is taken at all: all of them wait as they are,
 * and go on within seconds of its return.
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

/** @throws when Temporal is away, or the database is */
async function relayWhileTemporalIsAvailable(
  { client, clock, log }: RelayOptions,
  pool: Pool,
  stopping: AbortSignal,
): Promise<void> {
  // This also asks whether Temporal answers.
  await ensureSearchAttributes(client, clock, log);
  const outage = new AbortController();
  const runner = await run({
    pgPool: pool,
    concurrency: CONCURRENCY,
    pollInterval: POLL_MS,
    noHandleSignals: true,
    noPreparedStatements: true,
    // Otherwise it looks for a file of that name where the process was started.
    parsedCronItems: [],
    logger: createJobLogger(log),
    taskList: createTasks({
      signals: createWorkflowSignals(client, clock),
      commands: createCommandSender(client, clock),
      hasEnded: createOperationProbe(pool),
      onError: (error) => {
        if (isTemporalUnavailable(error)) outage.abort(error);
      },
    }),
  });
  onRepeatedFailure(runner, (error) => {
    outage.abort(error);
  });
  log.info('relaying');
  const stop = AbortSignal.any([stopping, outage.signal]);
  if (!stop.aborted) await Promise.race([runner.promise, once(stop, 'abort')]);
  await drain(runner);
  if (stopping.aborted) return;
  throw outage.signal.reason ?? new Error('The job queue stopped by itself.');
}

/**
 * The queue looks up its tasks once, and keeps that look-up's failure for good (graphile-worker 0.17,
 * `getTaskDetails`): one whose connection is cut as it begins would never take a job.
 */
function onRepeatedFailure({ events }: Runner, give: (error: unknown) => void): void {
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

/** Lets the jobs that are under way finish. */
async function drain(runner: Runner): Promise<void> {
  // It refuses only when it has stopped already.
  await runner.stop().catch(() => undefined);
  await runner.promise.catch(() => undefined);
}
