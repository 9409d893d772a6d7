import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import {
  type NativeConnection,
  Worker,
  type WorkerDeploymentOptions,
  type WorkerOptions,
} from '@temporalio/worker';
import type { Logger } from 'pino';
import type { Activities } from './index';
import { connectNatively } from './native-connection';
import type { Clock } from '../src/clock/system-clock';
import { ENVIRONMENTS, type Environment } from '../src/domain/environment';
import type { TemporalEndpoint } from '../src/temporal/client';
import { grpcCodeOf } from '../src/temporal/grpc-errors';
import { requirePermission } from '../src/temporal/require-permission';
import { retryUntilStopped } from '../src/temporal/retry-until-stopped';
import { ensureSearchAttributes, registerSearchAttributes } from '../src/temporal/search-attributes';
import { ensureSchedules, inactiveSchedules, removeEarlierSchedules } from '../src/temporal/schedules';
import { billingQueue, servedQueues, type ServedQueue, type TaskQueue } from '../src/temporal/task-queues';
import { workerSlots } from '../src/temporal/worker-slots';
import type { WorkflowCode } from '../src/temporal/workflow-code';

/** A worker's deployment and build, by which Temporal routes work. */
export interface WorkerBuild {
  deploymentName: string;
  buildId: string;
}

export interface WorkersOptions {
  temporal: TemporalEndpoint;
  /** A client of the same Temporal; the caller closes it. */
  client: Client;
  /** The activities of each environment, which has its own pools. */
  activities: Record<Environment, Activities>;
  code: WorkflowCode;
  /** At least one. */
  queues: readonly TaskQueue[];
  /** Enables Worker Versioning. */
  build?: WorkerBuild | undefined;
  clock: Clock;
  log: Logger;
  /** Interval at which to check whether Temporal has lost its schedules (milliseconds); every minute if left out. */
  checkEveryMs?: number;
}

const CHECK_EVERY_MS = 60_000;

/**
 * Works until the process stops. Waits for Temporal to become available; if it fails later, the workers themselves wait
 * for it. When stopped, they finish what they have begun.
 */
export async function runWorkers(options: WorkersOptions, stopping: AbortSignal): Promise<void> {
  await retryUntilStopped('the worker', () => workUntilStopped(options, stopping), {
    stopping,
    log: options.log,
  });
}

async function workUntilStopped(options: WorkersOptions, stopping: AbortSignal): Promise<void> {
  const { temporal, log, queues } = options;
  await ensureSetup(options);
  const ended = new AbortController();
  const connection = await connectNatively(temporal);
  try {
    const workers = await createWorkers(connection, options);
    const stop = (): void => {
      for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
    };
    // If one worker ends, it stops the others, so that they restart together.
    const running = workers.map((worker) => worker.run().finally(stop));
    const looking = keepSetup(options, AbortSignal.any([stopping, ended.signal]));
    if (stopping.aborted) stop();
    else stopping.addEventListener('abort', stop, { once: true });
    log.info({ taskQueues: [...queues] }, 'working');
    try {
      const ends = await Promise.allSettled(running);
      for (const end of ends) if (end.status === 'rejected') throw end.reason;
    } finally {
      stopping.removeEventListener('abort', stop);
      ended.abort();
      // The caller closes the client: a call retried after that would end the process.
      await looking;
    }
    if (!stopping.aborted) throw new Error('The worker stopped unexpectedly.');
  } finally {
    await connection.close();
  }
}

/** Creates the search attributes, and the schedules of the environments whose workflows run here. */
async function ensureSetup({ client, clock, log, queues }: WorkersOptions): Promise<void> {
  await requirePermission(client, clock);
  await ensureSearchAttributes(client, clock, log);
  for (const environment of environmentsOf(queues)) {
    await ensureSchedules(client, clock, environment);
    await removeEarlierSchedules(client, clock);
  }
}

/**
 * Recreates what is missing: a Temporal that has lost its store comes back empty, and workers are not notified. They
 * would wait in vain, because no workflow starts without the attributes, and no sweep runs without its schedule.
 * Someone may also have removed a search attribute or a schedule; to do without a schedule, they pause it, which is
 * reported once.
 */
async function keepSetup(options: WorkersOptions, stopping: AbortSignal): Promise<void> {
  const { client, clock, log, queues, checkEveryMs = CHECK_EVERY_MS } = options;
  const environments = environmentsOf(queues);
  if (environments.length === 0) return;
  const reported = new Set<string | number>();
  let pausedBefore: readonly string[] = [];
  for (;;) {
    await pause(checkEveryMs, undefined, { signal: stopping }).catch(() => undefined);
    if (stopping.aborted) return;
    try {
      const missing: string[] = [];
      const paused: string[] = [];
      for (const environment of environments) {
        const inactive = await inactiveSchedules(client, clock, environment);
        missing.push(...inactive.missing);
        paused.push(...inactive.paused);
      }
      if (paused.some((id) => !pausedBefore.includes(id))) {
        log.warn(
          { schedules: paused },
          'schedules are paused in Temporal, and run nothing until resumed there',
        );
      }
      pausedBefore = paused;
      if (missing.length === 0) {
        await keepSearchAttributes(options);
      } else {
        const lost = 'Temporal has lost schedules: everything that it needs and lacks is created again';
        log[levelOf(reported, 'lost')]({ schedules: missing }, lost);
        await ensureSetup(options);
      }
      reported.clear();
    } catch (error) {
      const reason = grpcCodeOf(error) ?? (error instanceof Error ? error.name : '');
      log[levelOf(reported, reason)]({ err: error }, 'Temporal could not be checked');
    }
  }
}

/** Registers search attributes that were removed: until then no workflow can start, or set one to a new value. */
async function keepSearchAttributes({ client, clock, log }: WorkersOptions): Promise<void> {
  const attributes = await registerSearchAttributes(client, clock);
  const registered = attributes.filter(({ state }) => state === 'registered').map(({ name }) => name);
  if (registered.length === 0) return;
  log.warn(
    { searchAttributes: registered },
    'Temporal has lost search attributes: they are registered again',
  );
}

/** Returns `debug` for what has been reported already: an outage should not log a warning every minute. */
function levelOf(reported: Set<string | number>, reason: string | number): 'warn' | 'debug' {
  if (reported.has(reason)) return 'debug';
  reported.add(reason);
  return 'warn';
}

function environmentsOf(queues: readonly TaskQueue[]): Environment[] {
  return ENVIRONMENTS.filter((environment) => queues.includes(billingQueue(environment)));
}

async function createWorkers(connection: NativeConnection, options: WorkersOptions): Promise<Worker[]> {
  const workers: Worker[] = [];
  try {
    for (const queue of servedQueues(options.queues))
      workers.push(await createWorker(connection, queue, options));
    return workers;
  } catch (error) {
    // A worker releases its threads and the connection only at the end of a run.
    await Promise.allSettled(workers.map((worker) => worker.runUntil(Promise.resolve())));
    throw error;
  }
}

async function createWorker(
  connection: NativeConnection,
  queue: ServedQueue,
  { temporal, activities, code, build }: WorkersOptions,
): Promise<Worker> {
  const shared: WorkerOptions = {
    connection,
    namespace: temporal.namespace,
    taskQueue: queue.name,
    ...workerSlots(queue),
    // At shutdown, running work gets five seconds before it is asked to stop, and some more after that.
    shutdownGraceTime: '5s',
    shutdownForceTime: '12s',
    ...(build !== undefined && { workerDeploymentOptions: versioned(build) }),
  };
  const { billing, providers } = activities[queue.environment];
  if (queue.kind === 'providers') return Worker.create({ ...shared, activities: { ...providers } });
  return Worker.create({
    ...shared,
    ...code,
    activities: { ...billing },
    // The longest wait for a worker that has died.
    stickyQueueScheduleToStartTimeout: '1s',
  });
}

/**
 * Returns the versioning options. Subscriptions live for years, so they move to the newest build, and patch markers
 * keep started runs valid.
 */
function versioned(version: WorkerBuild): WorkerDeploymentOptions {
  return { version, useWorkerVersioning: true, defaultVersioningBehavior: 'AUTO_UPGRADE' };
}
