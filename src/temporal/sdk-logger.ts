import { DefaultLogger } from '@temporalio/worker';
import type { Logger } from 'pino';

const LEVELS = { TRACE: 'trace', DEBUG: 'debug', INFO: 'info', WARN: 'warn', ERROR: 'error' } as const;

/** Writes the messages of Temporal's SDK, of workflows and of activities to the service's log. */
export function createSdkLogger(log: Logger): DefaultLogger {
  return new DefaultLogger('DEBUG', ({ level, message, meta }) => {
    const { error, ...details } = meta ?? {};
    // The worker's own info messages are noise for an operator, and the providers' queue has no workflows by design.
    const quiet =
      (level === 'INFO' && details['sdkComponent'] === 'worker') ||
      message.startsWith('No workflows registered');
    log[quiet ? 'debug' : LEVELS[level]](
      error === undefined ? details : { ...details, err: error as unknown },
      message,
    );
  });
}
