/**
 * Returns a number of things for people: `1 seat`, `3 seats`.
 *
 * @param text the number as it is to be shown, if not in plain digits
 */
export function countInWords(count: number, noun: string, text = String(count)): string {
  return `${text} ${count === 1 ? noun : `${noun}s`}`;
}
