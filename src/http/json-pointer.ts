/** The answer repeats the pointer, so names in it are cut at this length. */
const LONGEST_POINTER = 200;
const LONGEST_STEP = 80;

/**
 * Builds the JSON Pointer (RFC 6901) to a place in a request, short enough to be sent back: each name, and the whole,
 * are cut with `…`.
 *
 * @param root the start of the pointer: '' in the body, `/query` or `/path`
 */
export function pointerOf(steps: readonly PropertyKey[], root = ''): string {
  let pointer = root;
  for (const step of steps) {
    pointer += `/${shortened(String(step), LONGEST_STEP).replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (pointer.length > LONGEST_POINTER) return shortened(pointer, LONGEST_POINTER);
  }
  return pointer;
}

/** Shortens a caller's text for an answer to at most `most` characters, without splitting a character. */
export function shortened(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most).toWellFormed()}…`;
}
