/**
 * Runs `work` on every item, with at most `atOnce` items in progress at a time.
 *
 * @returns the results, in the order of the items
 * @throws the first error of any item; the others may still be running
 */
export async function aFewAtOnce<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  // All workers share one iterator and take their next item from it.
  const left = items.entries();
  const takeTurns = async (): Promise<void> => {
    for (const [index, item] of left) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, takeTurns));
  return results;
}
