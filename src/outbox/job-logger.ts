import { Logger as JobLogger, type LogFunctionFactory } from 'graphile-worker';
import type { Logger } from 'pino';

/** Every job that begins and ends is worth a line only to somebody who looks for a fault. */
const LEVELS = { error: 'error', warning: 'warn', info: 'debug', debug: 'trace' } as const;

/** The job queue's messages in the service's format. */
export function createJobLogger(log: Logger): JobLogger {
  const factory: LogFunctionFactory = ({ jobId, taskIdentifier }) => {
    return (level, message) => {
      log[LEVELS[level]]({ jobId, taskIdentifier }, message);
    };
  };
  return new JobLogger(factory);
}
