import { deserialize, serialize } from 'node:v8';

/** A value that stands for itself, or the place of an object among the entries. */
export type Cell = string | number | boolean | bigint | null | undefined | readonly [place: number];

/** Keys and values by turns: one array for each object is what `v8.serialize` is quickest with. */
export type Pairs = readonly Cell[];

/** One object of a graph. */
export type Entry =
  | readonly ['object', Pairs]
  | readonly ['array', readonly Cell[]]
  | readonly ['map', Pairs]
  | readonly ['set', readonly Cell[]]
  | readonly ['bytes', Uint8Array]
  | readonly ['date', number]
  /** What never changes, serialized once. */
  | readonly ['frozen', Uint8Array]
  /** Something that every process has, by its name. */
  | readonly ['part', name: string]
  | readonly ['instance', type: string, Pairs]
  | readonly ['call', name: string, args: readonly Cell[]];

/** A graph of objects as plain data that `v8.serialize` takes: each object once, whatever refers to it. */
export interface StoredGraph {
  entries: readonly Entry[];
  /** By name, the place of what a root holds. */
  roots: Readonly<Record<string, number>>;
}

/** A stored state that this version cannot use; the message says why, as the end of a sentence. */
export class UnusableStateError extends Error {
  override readonly name = 'UnusableStateError';
}

const packed = new WeakMap<object, Uint8Array>();

/** A frozen object and all that it holds, which is taken to be frozen, too; serialized when it is first asked for. */
export function pack(object: object): Uint8Array {
  const known = packed.get(object);
  if (known !== undefined) return known;
  const bytes = serialize(object);
  packed.set(object, bytes);
  return bytes;
}

export function unpack(bytes: Uint8Array): object {
  const own = Buffer.from(bytes);
  const object: unknown = Object.freeze(deserialize(own));
  if (typeof object !== 'object' || object === null) throw new TypeError('Only objects are packed.');
  packed.set(object, own);
  return object;
}
