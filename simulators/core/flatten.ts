import { types as is } from 'node:util';
import { pack, type Cell, type Entry, type Pairs, type StoredGraph } from './stored-graph';
import { NamedCall } from './named-call';

/** The objects in a graph that are not plain data. */
export interface KnownObjects {
  /** Objects that every process creates itself: a reference to one will refer to the next process's own. */
  parts: ReadonlyMap<object, string>;
  /** The names of classes, by their constructors. */
  types: ReadonlyMap<unknown, string>;
}

const UNFINISHED: Entry = ['part', ''];

/**
 * Converts everything that the roots hold to plain data, with shared references and cycles.
 *
 * @param roots maps and objects, by name
 * @throws Error when it contains a function, or an object of an unknown class; the message says where
 */
export function flatten(roots: ReadonlyMap<string, object>, known: KnownObjects): StoredGraph {
  const entries: Entry[] = [];
  const places = new Map<object, number>();

  /** The current position in the graph, for a message. */
  const trail: unknown[] = [];

  function cellOf(value: unknown, key: unknown): Cell {
    switch (typeof value) {
      case 'object':
        return value === null ? null : [placeOf(value, key)];
      case 'string':
      case 'number':
      case 'boolean':
      case 'bigint':
      case 'undefined':
        return value;
      case 'function':
      case 'symbol':
        throw new Error(`${where(key)} is a ${typeof value}, which cannot be stored: use a namedCall.`);
    }
  }

  function where(key: unknown): string {
    return [...trail, key].map(String).join('.');
  }

  function placeOf(object: object, key: unknown): number {
    const taken = places.get(object);
    if (taken !== undefined) return taken;
    // The place is reserved first, because the object's members may lead back to it.
    const place = entries.push(UNFINISHED) - 1;
    places.set(object, place);
    const part = known.parts.get(object);
    entries[place] = part === undefined ? entryOf(object, key) : ['part', part];
    return place;
  }

  function entryOf(object: object, key: unknown): Entry {
    if (Object.isFrozen(object)) return ['frozen', pack(object)];
    // Checked by type and not by class, because an object may come from another realm.
    if (is.isUint8Array(object)) return ['bytes', object];
    if (is.isDate(object)) return ['date', object.getTime()];
    trail.push(key);
    const entry = entryOfMembers(object);
    trail.pop();
    return entry;
  }

  function entryOfMembers(object: object): Entry {
    if (Array.isArray(object)) return ['array', object.map(cellOf)];
    if (object instanceof NamedCall) return ['call', object.name, object.args.map(cellOf)];
    if (is.isMap(object)) return ['map', pairsOf(object)];
    if (is.isSet(object)) return ['set', [...object].map(cellOf)];
    const pairs = pairsOf(Object.entries(object));
    const type = known.types.get(object.constructor);
    if (type !== undefined) return ['instance', type, pairs];
    if (!isPlain(object)) throw new Error(`${trail.map(String).join('.')} is of a class that is not known.`);
    return ['object', pairs];
  }

  function pairsOf(members: Iterable<readonly [unknown, unknown]>): Pairs {
    const pairs: Cell[] = [];
    for (const [key, value] of members) pairs.push(cellOf(key, key), cellOf(value, key));
    return pairs;
  }

  const placed = Array.from(roots, ([name, root]): [string, number] => {
    // A reference to a root refers to a part; the root's content is an entry of its own.
    const place = entries.push(UNFINISHED) - 1;
    entries[place] = entryOf(root, name);
    return [name, place];
  });
  return { entries, roots: Object.fromEntries(placed) };
}

function isPlain(object: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(object);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
