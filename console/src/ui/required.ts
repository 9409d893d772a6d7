/** Returns the error of a required text; null if it is filled in. */
export function required(value: string): string | null {
  return value.trim() === '' ? 'Fill this in.' : null;
}
