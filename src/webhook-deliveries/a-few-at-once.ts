/**
 * Works at all of the items, `atOnce` of them at the same time.
 *
 * @returns what came of each, in their order
 * @throws the first error of one of them; the others may go on
 */
export async function aFewAtOnce<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  // One iterator, from which each takes its next.
  const left = items.entries();
  const takeTurns = async (): Promise<void> => {
    for (const [index, item] of left) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, takeTurns));
  return results;
}
