import { deserialize, serialize } from 'node:v8';

/** A plain value, or the place of an object among the entries. */
export type Cell = string | number | boolean | bigint | null | undefined | readonly [place: number];

/** Alternating keys and values: one array per object is the fastest form for `v8.serialize`. */
export type Pairs = readonly Cell[];

/** One object of a graph. */
export type Entry =
  | readonly ['object', Pairs]
  | readonly ['array', readonly Cell[]]
  | readonly ['map', Pairs]
  | readonly ['set', readonly Cell[]]
  | readonly ['bytes', Uint8Array]
  | readonly ['date', number]
  /** An immutable object, serialized once. */
  | readonly ['frozen', Uint8Array]
  /** An object that every process has, by its name. */
  | readonly ['part', name: string]
  | readonly ['instance', type: string, Pairs]
  | readonly ['call', name: string, args: readonly Cell[]];

/** A graph of objects as plain data for `v8.serialize`: each object once, however often it is referenced. */
export interface StoredGraph {
  entries: readonly Entry[];
  /** The place of each root's content, by name. */
  roots: Readonly<Record<string, number>>;
}

/** A stored state that this version cannot use; the message says why, as the end of a sentence. */
export class UnusableStateError extends Error {
  override readonly name = 'UnusableStateError';
}

const packed = new WeakMap<object, Uint8Array>();

/** Serializes a frozen object and everything in it, which is assumed to be frozen too; done once, on first use. */
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
