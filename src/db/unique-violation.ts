import { TollgateError } from '../domain/errors';

const UNIQUE_VIOLATION = '23505';
const FOREIGN_KEY_VIOLATION = '23503';

/**
 * Runs a write whose only unique index besides the id is on one field of the request.
 *
 * @param field the request's member, for the pointer and the message; the database's own words never leave
 * @throws TollgateError resource_conflict when another record has the value; the transaction is then lost
 */
export async function refuseDuplicate<Result>(
  field: string,
  value: string,
  write: () => PromiseLike<Result>,
): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    if (!hasSqlState(error, UNIQUE_VIOLATION)) throw error;
    throw new TollgateError('resource_conflict', `The ${field} "${value}" is already taken.`, {
      errors: [{ pointer: `/${field}`, message: 'is already taken', fix: 'Choose another one.' }],
      cause: error,
    });
  }
}

/** True when a row could not be written because another one has its unique values. */
export function isUniqueViolation(error: unknown): boolean {
  return hasSqlState(error, UNIQUE_VIOLATION);
}

/** True when a row could not be removed because another one refers to it. */
export function isStillReferredTo(error: unknown): boolean {
  return hasSqlState(error, FOREIGN_KEY_VIOLATION);
}

function hasSqlState(error: unknown, state: string): boolean {
  if (typeof error !== 'object' || error === null) return false;
  // objection wraps the driver's error.
  if ('nativeError' in error) return hasSqlState(error.nativeError, state);
  return 'code' in error && error.code === state;
}
