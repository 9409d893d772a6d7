import { types as is } from 'node:util';
import {
  unpack,
  UnusableStateError,
  type Cell,
  type Entry,
  type Pairs,
  type StoredGraph,
} from './stored-graph';
import { NamedCall, restoredCall } from './named-call';

/** This process's objects for the entries of a stored graph that are not plain data. */
export interface OwnObjects {
  parts: ReadonlyMap<string, object>;
  /** By name: creates an instance of the class, whose members are then taken from the graph. */
  blanks: ReadonlyMap<string, () => object>;
  /** The maps and objects to fill. */
  roots: ReadonlyMap<string, object>;
}

/**
 * Fills the roots with their content from a graph. A root, a blank and a part keep members that the graph does not
 * contain.
 *
 * @throws UnusableStateError when the graph names something this process does not have; then no root has changed
 */
export function rebuild(graph: StoredGraph, own: OwnObjects): void {
  const objects = graph.entries.map((entry) => blankOf(entry, own));

  function valueOf(cell: Cell): unknown {
    return typeof cell === 'object' && cell !== null ? objects[cell[0]] : cell;
  }

  graph.entries.forEach((entry, place) => {
    const object = objects[place];
    if (object !== undefined) fill(object, entry, valueOf);
  });
  for (const [name, place] of Object.entries(graph.roots)) {
    const root = own.roots.get(name);
    const content = objects[place];
    if (root === undefined || content === undefined) continue;
    if (is.isMap(root) && is.isMap(content)) {
      root.clear();
      for (const [key, value] of content) root.set(key, value);
    } else Object.assign(root, content);
  }
}

function blankOf(entry: Entry, { parts, blanks }: OwnObjects): object {
  switch (entry[0]) {
    case 'object':
      return {};
    case 'array':
      return [];
    case 'map':
      return new Map();
    case 'set':
      return new Set();
    case 'bytes':
      return Buffer.from(entry[1]);
    case 'date':
      return new Date(entry[1]);
    case 'frozen':
      return unpack(entry[1]);
    case 'part':
      return found(parts.get(entry[1]), entry[1]);
    case 'instance':
      return found(blanks.get(entry[1]), entry[1])();
    case 'call':
      return restoredCall(entry[1], []);
  }
}

function fill(object: object, entry: Entry, valueOf: (cell: Cell) => unknown): void {
  if (entry[0] === 'object') Object.assign(object, valuesOf(entry[1], valueOf));
  else if (entry[0] === 'instance') Object.assign(object, valuesOf(entry[2], valueOf));
  else if (entry[0] === 'call' && object instanceof NamedCall) object.args.push(...entry[2].map(valueOf));
  else if (entry[0] === 'array' && Array.isArray(object)) object.push(...entry[1].map(valueOf));
  else if (entry[0] === 'set' && is.isSet(object)) for (const cell of entry[1]) object.add(valueOf(cell));
  else if (entry[0] === 'map' && is.isMap(object)) {
    for (const [key, value] of pairsOf(entry[1])) object.set(valueOf(key), valueOf(value));
  }
}

function valuesOf(pairs: Pairs, valueOf: (cell: Cell) => unknown): Record<string, unknown> {
  return Object.fromEntries(pairsOf(pairs).map(([key, cell]) => [String(key), valueOf(cell)]));
}

function pairsOf(cells: Pairs): [Cell, Cell][] {
  return cells.flatMap((key, index) => (index % 2 === 0 ? [[key, cells[index + 1]]] : []));
}

function found<T>(known: T | undefined, name: string): T {
  if (known === undefined)
    throw new UnusableStateError(`it names “${name}”, which this version does not know`);
  return known;
}
