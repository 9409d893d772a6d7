/** A pseudorandom generator that gives the same numbers for the same seed. */
export interface Random {
  /** Returns an integer from 0 to `end`, exclusive. */
  below(end: number): number;
  /** Returns true with this probability. */
  chance(probability: number): boolean;
  /** @throws RangeError when there is nothing to choose from */
  oneOf<Item>(items: readonly Item[]): Item;
  shuffled<Item>(items: readonly Item[]): Item[];
}

/** Creates a mulberry32 generator. @param seed an integer */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (end: number): number => Math.floor(next() * end);
  return {
    below,
    chance: (probability) => next() < probability,
    oneOf: (items) => {
      const item = items[below(items.length)];
      if (item === undefined) throw new RangeError('There is nothing to choose from.');
      return item;
    },
    shuffled: (items) => {
      const left = [...items];
      return items.flatMap(() => left.splice(below(left.length), 1));
    },
  };
}
