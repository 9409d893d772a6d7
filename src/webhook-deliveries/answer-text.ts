/**
 * Bytes of a stranger as text that Postgres stores: what is no UTF-8, and NUL, becomes the replacement character. A
 * character that is cut off at the end is left out.
 */
export function answerText(bytes: Buffer): string {
  return new TextDecoder('utf-8', { ignoreBOM: true })
    .decode(bytes, { stream: true })
    .replaceAll('\0', '\uFFFD');
}
