/** Converts the value of a `datetime-local` field to an instant of the API, in the viewer's time zone. */
export function toInstant(local: string): string {
  return new Date(local).toISOString();
}

/**
 * Returns what is wrong with the value of a `datetime-local` field; null if it is valid. A time that the clocks skip
 * would be interpreted as another one.
 */
export function localTimeProblem(local: string): string | null {
  const at = new Date(local);
  if (Number.isNaN(at.getTime())) return 'Choose a day and a time.';
  const isThere =
    at.getHours() === Number(local.slice(11, 13)) && at.getMinutes() === Number(local.slice(14, 16));
  return isThere ? null : 'The clocks skip this time on that day: choose another.';
}
