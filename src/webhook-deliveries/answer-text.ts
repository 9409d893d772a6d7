/**
 * Decodes bytes from an untrusted source into text that Postgres can store. Invalid UTF-8 and NUL become the
 * replacement character. A character that is cut off at the end is dropped.
 */
export function answerText(bytes: Buffer): string {
  return new TextDecoder('utf-8', { ignoreBOM: true })
    .decode(bytes, { stream: true })
    .replaceAll('\0', '\uFFFD');
}
