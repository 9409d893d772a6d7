import { TollgateError } from '../domain/errors';
import { hasSqlState } from './sql-state';

/**
 * Runs a write whose only unique index besides the id is on one field of the request.
 *
 * @param field the request's member, for the pointer and the message; the database's own message is never exposed
 * @throws TollgateError resource_conflict if another record has the value; the transaction is then aborted
 */
export async function refuseDuplicate<Result>(
  field: string,
  value: string,
  write: () => PromiseLike<Result>,
): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    if (!hasSqlState(error, 'unique_violation')) throw error;
    throw new TollgateError('resource_conflict', `The ${field} "${value}" is already taken.`, {
      errors: [{ pointer: `/${field}`, message: 'is already taken', fix: 'Choose another one.' }],
      cause: error,
    });
  }
}

/** Returns whether a row could not be written because another one has its unique values. */
export function isUniqueViolation(error: unknown): boolean {
  return hasSqlState(error, 'unique_violation');
}

/** Returns whether a row could not be deleted because another one refers to it. */
export function isStillReferredTo(error: unknown): boolean {
  return hasSqlState(error, 'foreign_key_violation');
}
