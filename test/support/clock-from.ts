/** Returns a clock that starts at an instant and runs at real speed, so that a test's fixed dates hold on any day. */
export function clockFrom(start: number): () => number {
  const begun = Date.now();
  return () => start + (Date.now() - begun);
}
