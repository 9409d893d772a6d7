/** The answer repeats the pointer, so names in it are cut at this length. */
const MAX_POINTER_LENGTH = 200;
const MAX_STEP_LENGTH = 80;

/**
 * Builds the JSON Pointer (RFC 6901) to a place in a request, short enough to be sent back: each name, and the whole,
 * are cut with `…`.
 *
 * @param root the start of the pointer: '' in the body, `/query` or `/path`
 */
export function pointerOf(steps: readonly PropertyKey[], root = ''): string {
  let pointer = root;
  for (const step of steps) {
    pointer += `/${shortened(String(step), MAX_STEP_LENGTH).replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (pointer.length > MAX_POINTER_LENGTH) return shortened(pointer, MAX_POINTER_LENGTH);
  }
  return pointer;
}

/** Shortens a caller's text for an answer to at most `most` characters, without splitting a character. */
export function shortened(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most).toWellFormed()}…`;
}
