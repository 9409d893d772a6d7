import { Logger as JobLogger, type LogFunctionFactory } from 'graphile-worker';
import type { Logger } from 'pino';
import { isTollgateError } from '../domain/errors';
import { OperationOpenError } from './tasks';

/** Every job that begins and ends is worth a line only to somebody who looks for a fault. */
const LEVELS = { error: 'error', warning: 'warn', info: 'debug', debug: 'trace' } as const;

/**
 * The job queue's messages in the service's format. A job that waits for what is slow or away is no fault: while
 * Temporal does not answer, each command that was accepted has one at each try, and takes one line without a stack.
 */
export function createJobLogger(log: Logger): JobLogger {
  const factory: LogFunctionFactory = ({ jobId, taskIdentifier }) => {
    return (level, message, meta) => {
      const error: unknown = meta?.['failure'] === true ? meta['error'] : undefined;
      if (isWaiting(error)) {
        log.info({ jobId, taskIdentifier, reason: error.message }, 'a job waits and is tried again');
        return;
      }
      log[LEVELS[level]]({ jobId, taskIdentifier }, message);
    };
  };
  return new JobLogger(factory);
}

function isWaiting(error: unknown): error is Error {
  return error instanceof OperationOpenError || (isTollgateError(error) && error.status === 503);
}
