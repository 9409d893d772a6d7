import { Logger as JobLogger, type LogFunctionFactory } from 'graphile-worker';
import type { Logger } from 'pino';
import { z } from 'zod';
import { isTollgateError } from '../domain/errors';
import { OperationOpenError, ReschedulingError } from './tasks';

/** Starts and ends of jobs are logged at debug level. */
const LEVELS = { error: 'error', warning: 'warn', info: 'debug', debug: 'trace' } as const;

/**
 * Writes the job queue's messages to the service's log. A job that waits for a slow or unavailable dependency is not an
 * error: during a Temporal outage each accepted command is retried, and each retry is one line without a stack.
 */
export function createJobLogger(log: Logger): JobLogger {
  const factory: LogFunctionFactory = () => {
    return (level, message, meta) => {
      const about = nameJob(meta?.['job']);
      const error: unknown = meta?.['failure'] === true ? meta['error'] : undefined;
      if (isWaiting(error)) {
        log.info({ ...about, reason: error.message }, 'a job waits and is retried');
        return;
      }
      log[LEVELS[level]](about, message);
    };
  };
  return new JobLogger(factory);
}

/** What is used of the queue's job. */
const jobSchema = z.object({
  id: z.string(),
  task_identifier: z.string(),
  /** The id of its workflow; with `clock/` in front for a signal of the clock, and `operation/…` for a command. */
  key: z.string().nullable(),
  payload: z.object({ workspaceId: z.string() }).partial().catch({}),
});

/**
 * Returns what finds a job, its workflow and its workspace. The queue's logger has them only as the message's details:
 * it reports the end of a job by the logger of the process.
 *
 * @param details empty for a message about no job
 */
function nameJob(details: unknown): Record<string, unknown> {
  const { data: job } = jobSchema.safeParse(details);
  if (job === undefined) return {};
  return {
    jobId: job.id,
    taskIdentifier: job.task_identifier,
    jobKey: job.key,
    workspaceId: job.payload.workspaceId,
  };
}

function isWaiting(error: unknown): error is Error {
  if (error instanceof OperationOpenError || error instanceof ReschedulingError) return true;
  return isTollgateError(error) && error.status === 503;
}
