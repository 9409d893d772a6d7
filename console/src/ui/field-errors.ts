import { problemOf } from '../api/problem';

/** Returns a problem's errors by form field: the pointer `/price/amount` is `price.amount`. */
export function fieldErrors(error: unknown): Record<string, string> {
  const wrong = problemOf(error).errors ?? [];
  return Object.fromEntries(
    wrong.map(({ pointer, message, fix }) => [
      pointer.replace(/^#?\/(body\/)?/, '').replaceAll('/', '.'),
      `${message} ${fix}`.trim(),
    ]),
  );
}
