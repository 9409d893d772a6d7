/**
 * Isolates a name within a sentence, so that its direction marks have no effect after it (Unicode Standard Annex 9:
 * first strong isolate). In markup, `<bdi>` does the same.
 */
export function isolate(name: string): string {
  return `\u2068${name}\u2069`;
}
