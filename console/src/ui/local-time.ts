import { MINUTE_MS } from '../../../src/domain/instant.ts';

/** Converts the value of a `datetime-local` field to an instant of the API, in the viewer's time zone. */
export function toInstant(local: string): string {
  return new Date(local).toISOString();
}

/** Converts an instant to the value of a `datetime-local` field, in the viewer's time zone; empty stays empty. */
export function toLocal(instant: string): string {
  if (instant === '') return '';
  const at = new Date(instant);
  return new Date(at.getTime() - at.getTimezoneOffset() * MINUTE_MS).toISOString().slice(0, 16);
}

/**
 * Returns the errors of times of a form that are typed but not whole, or do not exist, by field: a browser reports them
 * as empty, so a validator cannot see them.
 */
export function unfinishedTimes(form: HTMLFormElement): Record<string, string> {
  const times = [...form.querySelectorAll<HTMLInputElement>('input[type=datetime-local]')];
  return Object.fromEntries(
    times
      .filter(({ validity }) => validity.badInput)
      .map(({ dataset: { path = '' } }) => [path, 'Enter a whole day and time of the calendar.']),
  );
}

/** The years of a time that the API accepts. A `datetime-local` field also takes years of one to six digits. */
const YEAR = /^(?:19[7-9]\d|[2-9]\d{3})-/;

/**
 * Returns what is wrong with the value of a `datetime-local` field that is not empty; null if it is valid. A time that
 * the clocks skip would be interpreted as another one.
 */
export function localTimeProblem(local: string): string | null {
  if (!YEAR.test(local)) return 'Choose a year from 1970 to 9999.';
  const at = new Date(local);
  const isThere =
    at.getHours() === Number(local.slice(11, 13)) && at.getMinutes() === Number(local.slice(14, 16));
  return isThere ? null : 'The clocks skip this time on that day: choose another.';
}
