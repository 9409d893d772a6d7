import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { Environment } from '../domain/environment';
import { TollgateError } from '../domain/errors';

/** What a cursor is valid for. It is refused anywhere else. */
export interface CursorBinding {
  workspaceId: string;
  environment: Environment;
  /** The list's name, for example `developer-events`. */
  list: string;
  /** The filters of the first page. Undefined ones count as not given. */
  filters?: Readonly<Record<string, string | undefined>>;
}

/** Sort keys of the last row read. */
export type CursorPosition = (string | number)[];

/** A list answer. `nextCursor` is present exactly if `hasMore` is true. */
export interface Page<Item> {
  data: Item[];
  hasMore: boolean;
  nextCursor?: string;
}

const MAC_BYTES = 32;
/** Far above any real position, and low enough that hashing a guess is cheap. */
const MAX_LENGTH = 4096;
const BASE64URL = /^[\w-]+$/;

const positionSchema = z.array(z.union([z.string(), z.number()]));

/**
 * Returns the cursor for the rows after `position`: base64url over an HMAC-SHA-256 of binding and position, and the
 * position. It is signed, not secret.
 */
export function encodeCursor(secret: string, binding: CursorBinding, position: CursorPosition): string {
  const text = JSON.stringify(position);
  return Buffer.concat([macOf(secret, binding, text), Buffer.from(text, 'utf8')]).toString('base64url');
}

/**
 * Returns the position in a cursor that `encodeCursor` created for the same binding.
 *
 * @throws TollgateError cursor_invalid if it is damaged, or belongs to another workspace, environment, list or filter
 */
export function decodeCursor(secret: string, binding: CursorBinding, cursor: string): CursorPosition {
  const bytes =
    cursor.length <= MAX_LENGTH && BASE64URL.test(cursor)
      ? Buffer.from(cursor, 'base64url')
      : Buffer.alloc(0);
  // The decoder ignores spare bits in the last character, but a cursor has only one valid spelling.
  if (bytes.length <= MAC_BYTES || bytes.toString('base64url') !== cursor) throw refused();
  const text = bytes.subarray(MAC_BYTES).toString('utf8');
  if (!timingSafeEqual(bytes.subarray(0, MAC_BYTES), macOf(secret, binding, text))) throw refused();
  return positionSchema.parse(JSON.parse(text));
}

/**
 * Builds a page from rows read with one extra row.
 *
 * @param rows up to `take + 1` rows in the list's order
 * @param toCursor the cursor after a row
 */
export function pageOf<Row>(rows: readonly Row[], take: number, toCursor: (last: Row) => string): Page<Row> {
  const data = rows.slice(0, take);
  const last = data.at(-1);
  if (rows.length <= take || last === undefined) return { data, hasMore: false };
  return { data, hasMore: true, nextCursor: toCursor(last) };
}

/** Converts each row of a page with `toItem`. */
export function mapPage<Row, Item>(page: Page<Row>, toItem: (row: Row) => Item): Page<Item> {
  return { ...page, data: page.data.map(toItem) };
}

/** Computes the MAC. A JSON array is unambiguous, so no part of the binding can be mistaken for another. */
function macOf(secret: string, binding: CursorBinding, position: string): Buffer {
  const filters = Object.entries(binding.filters ?? {}).filter(([, value]) => value !== undefined);
  filters.sort(([one], [other]) => (one < other ? -1 : 1));
  const bound = JSON.stringify([
    'cursor/1',
    binding.workspaceId,
    binding.environment,
    binding.list,
    filters,
    position,
  ]);
  return createHmac('sha256', secret).update(bound).digest();
}

function refused(): TollgateError {
  return new TollgateError(
    'cursor_invalid',
    'This cursor was not issued for this list, with these filters, in this workspace and environment.',
  );
}
