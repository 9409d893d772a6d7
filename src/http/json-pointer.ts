/** A pointer is repeated in the answer, so that what it names is cut at this many characters. */
const LONGEST_POINTER = 200;
const LONGEST_STEP = 80;

/**
 * The JSON Pointer (RFC 6901) to a place in a request, short enough to be sent back: a name, and the whole, are cut
 * with `…`.
 *
 * @param root where the steps begin: '' in the body, `/query` or `/path`
 */
export function pointerOf(steps: readonly PropertyKey[], root = ''): string {
  let pointer = root;
  for (const step of steps) {
    pointer += `/${shortened(String(step), LONGEST_STEP).replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (pointer.length > LONGEST_POINTER) return shortened(pointer, LONGEST_POINTER);
  }
  return pointer;
}

/** What a caller sent, as an answer may repeat it: at most `most` characters, none of them half. */
export function shortened(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most).toWellFormed()}…`;
}
