/** A clock that began at an instant and goes on as real time does: a test's fixed dates hold whatever today is. */
export function clockFrom(start: number): () => number {
  const begun = Date.now();
  return () => start + (Date.now() - begun);
}
