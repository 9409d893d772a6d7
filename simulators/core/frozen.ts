import { deserialize, serialize } from 'node:v8';

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
