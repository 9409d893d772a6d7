/** Runs items that arrive at about the same time together. */
export interface Batch<Item, Result> {
  /** @returns the item's result, from a run that began after it was added */
  add(item: Item): Promise<Result>;
  /** Resolves when all added items are done. */
  idle(): Promise<void>;
}

interface Waiting<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

/**
 * Creates a batch with one run at a time. When idle, an item runs at once; under load, runs begin `pauseMs` apart,
 * whatever the number of items.
 *
 * @param work returns a result for each item in order; its error rejects all of them
 */
export function createBatch<Item, Result>(
  { pauseMs, most }: { pauseMs: number; most: number },
  work: (items: readonly Item[]) => Promise<readonly Result[]>,
): Batch<Item, Result> {
  let waiting: Waiting<Item, Result>[] = [];
  let running: Promise<void> | undefined;

  async function run(): Promise<void> {
    while (waiting.length > 0) {
      const taken = waiting.slice(0, most);
      waiting = waiting.slice(most);
      const pause = new Promise((resolve) => setTimeout(resolve, pauseMs));
      await settle(taken, work);
      await pause;
    }
    running = undefined;
  }

  return {
    add: (item) =>
      new Promise<Result>((resolve, reject) => {
        waiting.push({ item, resolve, reject });
        running ??= run();
      }),
    idle: async () => {
      await running;
    },
  };
}

/** Gives each item its result, or the error of all. */
async function settle<Item, Result>(
  taken: readonly Waiting<Item, Result>[],
  work: (items: readonly Item[]) => Promise<readonly Result[]>,
): Promise<void> {
  try {
    const results = await work(taken.map(({ item }) => item));
    for (const [index, { resolve, reject }] of taken.entries()) {
      const result = results[index];
      if (result === undefined) reject(new Error('A batch returned too few results.'));
      else resolve(result);
    }
  } catch (error) {
    for (const { reject } of taken) reject(error);
  }
}

/** Maximum number of look-ups in one query. */
const MAX_LOOK_UPS = 500;
/** Maximum number of queries at a time, of those that may still be answered soon. */
const QUERIES_AT_ONCE = 3;
/**
 * From when on (milliseconds) a query counts as one that is not answered soon: each finds rows by one key. If a route to
 * Postgres is lost, several connections no longer answer, and would hold up every caller until the pool ends them.
 */
const SOON_MS = 1_000;

/**
 * Creates a look-up of what a caller claims to be, such as a key or a session, before any workspace is known. Look-ups
 * that arrive while the queries are under way are made together by the next one. So a flood of claims, which anyone can
 * send, takes few connections of the pool. Each with a query of its own would go before the work of all workspaces.
 *
 * @param find returns what was found for each claim in order; null if nothing was
 */
export function createLookups<Claim, Found>(
  find: (claims: readonly Claim[]) => Promise<readonly (Found | null)[]>,
): (claim: Claim) => Promise<Found | undefined> {
  let waiting: Waiting<Claim, Found | null>[] = [];
  let underWay = 0;
  const begin = (): void => {
    if (underWay === QUERIES_AT_ONCE || waiting.length === 0) return;
    const taken = waiting.slice(0, MAX_LOOK_UPS);
    waiting = waiting.slice(MAX_LOOK_UPS);
    underWay += 1;
    let isCounted = true;
    const leave = (): void => {
      if (!isCounted) return;
      isCounted = false;
      underWay -= 1;
      begin();
    };
    const late = setTimeout(leave, SOON_MS);
    void settle(taken, find).finally(() => {
      clearTimeout(late);
      leave();
    });
  };
  return async (item) => {
    const found = await new Promise<Found | null>((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      begin();
    });
    return found ?? undefined;
  };
}

/** Puts rows at their places, which begin at 1; null where there is no row. */
export function inPlaces<Row>(places: number, rows: readonly (Row & { place: number })[]): (Row | null)[] {
  const found = new Map<number, Row>(rows.map((row) => [row.place, row]));
  return Array.from({ length: places }, (_, index) => found.get(index + 1) ?? null);
}
