/** What is wrong with a text that must be there; null where it is. */
export function required(value: string): string | null {
  return value.trim() === '' ? 'Fill this in.' : null;
}
