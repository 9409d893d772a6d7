import type { Logger } from 'pino';
import type { Clock } from '../clock/system-clock';

/**
 * Maximum number of subjects remembered; at this number all are forgotten, because callers choose the subjects and
 * could use up the memory.
 */
const MAX_SUBJECTS = 1_000;
const INTERVAL_MS = 60_000;

type Write = (subject: string, fields: Readonly<Record<string, unknown>>, message: string) => void;

/** Logs each subject at most once a minute, with the number of lines suppressed. Callers or an outage may repeat it. */
export interface RateLimitedLog {
  warn: Write;
  error: Write;
}

export function createRateLimitedLog(log: Logger, clock: Clock): RateLimitedLog {
  const subjects = new Map<string, { until: number; suppressed: number }>();
  const writeAt =
    (level: 'warn' | 'error'): Write =>
    (subject, fields, message) => {
      const at = clock.now();
      const known = subjects.get(subject);
      // A clock that was set back must not suppress lines for longer.
      if (known !== undefined && at < known.until && at >= known.until - INTERVAL_MS) {
        known.suppressed += 1;
        return;
      }
      if (subjects.size >= MAX_SUBJECTS) subjects.clear();
      subjects.set(subject, { until: at + INTERVAL_MS, suppressed: 0 });
      const count = known === undefined || known.suppressed === 0 ? {} : { notLogged: known.suppressed };
      log[level]({ ...fields, ...count }, message);
    };
  return { warn: writeAt('warn'), error: writeAt('error') };
}
