import type { IncomingMessage } from 'node:http';
import type { z } from 'zod';
import { TollgateError } from '../domain/errors';
import { assertJsonContent, parseJson, refuseUndecodable } from './body';
import { readBytes } from './body-bytes';
import type { BodyLimit } from './body-limit';
import { splitList } from './split-list';

/**
 * A body `{ "<member>": [ … ] }` whose elements are answered each for itself: what is wrong with one, down to its syntax,
 * refuses no other (docs/decisions/usage-batches.md).
 */
export interface ListBody {
  member: string;
  /** Elements; at least one is needed. */
  most: number;
  bytes: number;
  /** What one of them may be. */
  element: BodyLimit;
  /** The whole, for the reference: each element is validated by itself. */
  schema: z.ZodType;
}

/**
 * The elements of a list, unparsed.
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
 * The value of one element, judged as a body of its own is.
 *
 * @throws TollgateError body_too_large, body_too_complex, body_invalid_json, body_duplicate_member,
 *   body_number_imprecise
 */
export function parseElement(bytes: Buffer, limit: BodyLimit): unknown {
  if (bytes.length > limit.bytes)
    throw new TollgateError('body_too_large', `The element is larger than ${limit.bytes} bytes.`);
  return parseJson(bytes, limit);
}
