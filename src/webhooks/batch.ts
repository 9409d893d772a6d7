/** Collects what is asked at about the same time, and does it together. */
export interface Batch<Item, Result> {
  /** @returns what became of this item, after a run of `work` that began when it was there already */
  add(item: Item): Promise<Result>;
  /** Resolves when everything that was added is done. */
  idle(): Promise<void>;
}

interface Waiting<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

/**
 * One run at a time. The first item of a quiet moment is done at once; under load, runs begin `pauseMs` apart, so that
 * their number does not grow with that of the items.
 *
 * @param work a result for each item, in their order; what it throws is thrown for each of them
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
      try {
        const results = await work(taken.map(({ item }) => item));
        for (const [index, { resolve, reject }] of taken.entries()) {
          const result = results[index];
          if (result === undefined) reject(new Error('A batch has answered too little.'));
          else resolve(result);
        }
      } catch (error) {
        for (const { reject } of taken) reject(error);
      }
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
