/** Shares one read among concurrent callers, because a scrape collects every metric at once. */
export function sharedRead<Result>(read: () => Promise<Result>): () => Promise<Result> {
  let underWay: Promise<Result> | undefined;
  return () => {
    underWay ??= read().finally(() => {
      underWay = undefined;
    });
    return underWay;
  };
}
