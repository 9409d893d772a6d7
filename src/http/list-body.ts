import type { IncomingMessage } from 'node:http';
import type { z } from 'zod';
import { TollgateError } from '../domain/errors';
import { assertJsonContent, parseJson, refuseUndecodable } from './body';
import { readBytes } from './body-bytes';
import type { BodyLimit } from './body-limit';
import { splitList } from './split-list';

/**
 * A body `{ "<member>": [ … ] }` whose elements are answered individually: an error in one, even of syntax, does not
 * affect the others (docs/decisions/usage-batches.md).
 */
export interface ListBody {
  member: string;
  /** Maximum number of elements; at least one is required. */
  most: number;
  bytes: number;
  /** Limit of one element. */
  element: BodyLimit;
  /** Schema of the whole, for the reference; each element is validated on its own. */
  schema: z.ZodType;
}

/**
 * Returns the elements of a list, unparsed.
 *
 * @throws TollgateError content_type_unsupported, body_too_large, body_invalid_utf8, body_invalid_json,
 *   body_duplicate_member, validation_failed
 */
export async function readElements(request: IncomingMessage, list: ListBody): Promise<Buffer[]> {
  assertJsonContent(request);
  const bytes = await readBytes(request, list.bytes);
  refuseUndecodable(bytes);
  return splitList(bytes, list.member, list.most);
}

/**
 * Parses one element like a body of its own.
 *
 * @throws TollgateError body_too_large, body_too_complex, body_invalid_json, body_duplicate_member,
 *   body_number_imprecise
 */
export function parseElement(bytes: Buffer, limit: BodyLimit): unknown {
  if (bytes.length > limit.bytes)
    throw new TollgateError('body_too_large', `The element is larger than ${limit.bytes} bytes.`);
  return parseJson(bytes, limit);
}
