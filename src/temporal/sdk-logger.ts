import { DefaultLogger } from '@temporalio/worker';
import type { Logger } from 'pino';
import type { Clock } from '../clock/system-clock';
import { createRateLimitedLog } from '../telemetry/rate-limited-log';

const LEVELS = { TRACE: 'trace', DEBUG: 'debug', INFO: 'info', WARN: 'warn', ERROR: 'error' } as const;
/** Where the SDK reports each retry of a call. */
const RETRIES = 'temporalio_client::retry';

/**
 * Writes the messages of Temporal's SDK, of workflows and of activities to the service's log. Retries of a call are
 * logged at most once a minute: in an outage, the polls of all queues report several a second.
 */
export function createSdkLogger(log: Logger, clock: Clock): DefaultLogger {
  const limited = createRateLimitedLog(log, clock);
  return new DefaultLogger('DEBUG', ({ level, message, meta }) => {
    const { error, ...details } = meta ?? {};
    const fields = error === undefined ? details : { ...details, err: error as unknown };
    if (details['target'] === RETRIES) {
      // The message names the call, and counts its retries. Many are an error.
      limited[level === 'ERROR' ? 'error' : 'warn'](message.replaceAll(/\d+/g, ''), fields, message);
      return;
    }
    // The worker's own info messages are noise for an operator, and the providers' queue has no workflows by design.
    const quiet =
      (level === 'INFO' && details['sdkComponent'] === 'worker') ||
      message.startsWith('No workflows registered');
    log[quiet ? 'debug' : LEVELS[level]](fields, message);
  });
}
