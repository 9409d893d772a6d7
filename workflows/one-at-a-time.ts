/** Runs pieces of work one after the other, in the order they came; one that fails does not stop the next. */
export type OneAtATime = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** A lock for what must not overlap within one workflow. */
export function createLock(): OneAtATime {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = last.then(work);
    last = mine.catch(() => undefined);
    return mine;
  };
}
