import type { Logger } from 'pino';
import type { Clock } from '../clock/clock';

/** Above this many subjects nothing is remembered of those before: strangers may choose them. */
const MOST_SUBJECTS = 1_000;
const EVERY_MS = 60_000;

/** Warns of what strangers can cause as often as they like: once a minute for each subject, with how often it was. */
export interface SeldomLog {
  warn(subject: string, fields: Readonly<Record<string, unknown>>, message: string): void;
}

export function createSeldomLog(log: Logger, clock: Clock): SeldomLog {
  const subjects = new Map<string, { until: number; silent: number }>();
  return {
    warn(subject, fields, message) {
      const at = clock.now();
      const known = subjects.get(subject);
      if (known !== undefined && at < known.until) {
        known.silent += 1;
        return;
      }
      if (subjects.size >= MOST_SUBJECTS) subjects.clear();
      subjects.set(subject, { until: at + EVERY_MS, silent: 0 });
      const silent = known === undefined || known.silent === 0 ? {} : { notLogged: known.silent };
      log.warn({ ...fields, ...silent }, message);
    },
  };
}
