import type { Client } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import type { Logger } from 'pino';
import type { Activities } from '../../activities';
import type { Clock } from '../clock/clock';
import type { TemporalAddress } from './client';
import { keepTrying } from './keep-trying';
import { ensureSearchAttributes, ensureSweepSchedule } from './namespace';
import { BILLING_QUEUE } from './task-queues';
import type { WorkflowCode } from './workflow-code';

export interface BillingWorkerOptions {
  temporal: TemporalAddress;
  /** Of the same Temporal; the caller closes it. */
  client: Client;
  activities: Activities;
  code: WorkflowCode;
  clock: Clock;
  log: Logger;
}

/** A worker of the queue `billing`, for this connection. */
async function createBillingWorker(
  connection: NativeConnection,
  options: { namespace: string; activities: Activities; code: WorkflowCode },
): Promise<Worker> {
  return Worker.create({
    connection,
    namespace: options.namespace,
    taskQueue: BILLING_QUEUE,
    ...options.code,
    activities: { ...options.activities },
    // A worker that dies is not waited for longer than this.
    stickyQueueScheduleToStartTimeout: '1s',
    // What is under way when the process is to end gets five seconds before it is asked to stop, and then some.
    shutdownGraceTime: '5s',
    shutdownForceTime: '12s',
  });
}

/**
 * Works until the process stops. Waits for a Temporal that is not there yet; one that goes away later is waited for
 * by the worker itself. When told to stop, it finishes what it has begun.
 */
export async function runBillingWorker(options: BillingWorkerOptions, stopping: AbortSignal): Promise<void> {
  await keepTrying('the worker', () => workUntilStopped(options, stopping), { stopping, log: options.log });
}

async function workUntilStopped(options: BillingWorkerOptions, stopping: AbortSignal): Promise<void> {
  const { temporal, client, clock, log } = options;
  await ensureSearchAttributes(client, clock, log);
  await ensureSweepSchedule(client, clock);
  const connection = await NativeConnection.connect({ address: temporal.address });
  try {
    const worker = await createBillingWorker(connection, { ...options, namespace: temporal.namespace });
    const running = worker.run();
    const stop = (): void => {
      worker.shutdown();
    };
    if (stopping.aborted) stop();
    else stopping.addEventListener('abort', stop, { once: true });
    log.info({ taskQueue: BILLING_QUEUE }, 'working');
    try {
      await running;
    } finally {
      stopping.removeEventListener('abort', stop);
    }
    if (!stopping.aborted) throw new Error('The worker stopped by itself.');
  } finally {
    await connection.close();
  }
}
