/** Runs pieces of work one after the other, in order of arrival; a failure does not stop the next. */
export type OneAtATime = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** Creates a lock for work that must not overlap within one workflow. */
export function createLock(): OneAtATime {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = last.then(work);
    last = mine.catch(() => undefined);
    return mine;
  };
}
