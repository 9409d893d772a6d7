import type { Logger } from 'pino';
import type { Clock } from '../clock/system-clock';

/**
 * Maximum number of subjects remembered; at this number all are forgotten, because callers choose the subjects and
 * could use up the memory.
 */
const MAX_SUBJECTS = 1_000;
const INTERVAL_MS = 60_000;

/** Logs each subject at most once a minute, with the number of lines suppressed, for warnings that callers can cause. */
export interface RateLimitedLog {
  warn(subject: string, fields: Readonly<Record<string, unknown>>, message: string): void;
}

export function createRateLimitedLog(log: Logger, clock: Clock): RateLimitedLog {
  const subjects = new Map<string, { until: number; suppressed: number }>();
  return {
    warn(subject, fields, message) {
      const at = clock.now();
      const known = subjects.get(subject);
      if (known !== undefined && at < known.until) {
        known.suppressed += 1;
        return;
      }
      if (subjects.size >= MAX_SUBJECTS) subjects.clear();
      subjects.set(subject, { until: at + INTERVAL_MS, suppressed: 0 });
      const count = known === undefined || known.suppressed === 0 ? {} : { notLogged: known.suppressed };
      log.warn({ ...fields, ...count }, message);
    },
  };
}
