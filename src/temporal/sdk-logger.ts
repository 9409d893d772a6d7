import { DefaultLogger } from '@temporalio/worker';
import type { Logger } from 'pino';

const LEVELS = { TRACE: 'trace', DEBUG: 'debug', INFO: 'info', WARN: 'warn', ERROR: 'error' } as const;

/** Temporal's own messages, and those of workflows and activities, in the service's format. */
export function createSdkLogger(log: Logger): DefaultLogger {
  return new DefaultLogger('DEBUG', ({ level, message, meta }) => {
    const { error, ...details } = meta ?? {};
    // What the worker itself reports at this level is of interest to nobody who runs it; and that the providers'
    // queue has activities alone is as it should be.
    const quiet =
      (level === 'INFO' && details['sdkComponent'] === 'worker') ||
      message.startsWith('No workflows registered');
    log[quiet ? 'debug' : LEVELS[level]](
      error === undefined ? details : { ...details, err: error as unknown },
      message,
    );
  });
}
