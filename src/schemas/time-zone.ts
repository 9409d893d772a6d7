import { wallClockAt } from '../domain/zone';
import { text } from './text';

/**
 * Letters, digits and the few other characters of IANA names. A fixed offset such as +02:00 is not a zone with a
 * calendar.
 */
const IANA_NAME = /^[A-Za-z][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+-]+){0,2}$/;

/** The name of an IANA time zone. */
export const timeZoneName = text({ min: 1, max: 64 }).refine(isTimeZone, {
  error: 'is not the name of an IANA time zone',
  params: { fix: 'Send a name such as "Europe/Berlin" or "UTC".' },
});

function isTimeZone(name: string): boolean {
  if (!IANA_NAME.test(name)) return false;
  try {
    wallClockAt(name, 0);
    return true;
  } catch {
    return false;
  }
}
