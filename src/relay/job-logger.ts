import { Logger as JobLogger, type LogFunctionFactory } from 'graphile-worker';
import type { Logger } from 'pino';
import { isTollgateError } from '../domain/errors';
import { OperationOpenError, ReschedulingError } from './tasks';

/** Starts and ends of jobs are logged at debug level. */
const LEVELS = { error: 'error', warning: 'warn', info: 'debug', debug: 'trace' } as const;

/**
 * Writes the job queue's messages to the service's log. A job that waits for a slow or unavailable dependency is not an
 * error: during a Temporal outage each accepted command is retried, and each retry is one line without a stack.
 */
export function createJobLogger(log: Logger): JobLogger {
  const factory: LogFunctionFactory = ({ jobId, taskIdentifier }) => {
    return (level, message, meta) => {
      const error: unknown = meta?.['failure'] === true ? meta['error'] : undefined;
      if (isWaiting(error)) {
        log.info({ jobId, taskIdentifier, reason: error.message }, 'a job waits and is retried');
        return;
      }
      log[LEVELS[level]]({ jobId, taskIdentifier }, message);
    };
  };
  return new JobLogger(factory);
}

function isWaiting(error: unknown): error is Error {
  if (error instanceof OperationOpenError || error instanceof ReschedulingError) return true;
  return isTollgateError(error) && error.status === 503;
}
