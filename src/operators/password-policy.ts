import { TollgateError } from '../domain/errors';
import { PASSWORD_MAX, PASSWORD_MIN } from '../domain/text-formats';

/**
 * Checks that a password may be chosen: 12 to 200 characters, not the account's own address, not one character
 * repeated. There are no rules about kinds of characters, because they make passwords worse (NIST SP 800-63B).
 *
 * @param pointer location of the password in the request
 * @throws TollgateError validation_failed
 */
export function assertPasswordAllowed(password: string, email: string, pointer: string): void {
  const problem = problemOf(password, email.toLowerCase());
  if (problem === null) return;
  throw new TollgateError('validation_failed', `The password ${problem}.`, {
    errors: [
      {
        pointer,
        message: problem,
        fix: `Choose ${PASSWORD_MIN} to ${PASSWORD_MAX} characters that are hard to guess.`,
      },
    ],
  });
}

function problemOf(password: string, email: string): string | null {
  const characters = Array.from(password);
  if (characters.length < PASSWORD_MIN) return `is shorter than ${PASSWORD_MIN} characters`;
  if (characters.length > PASSWORD_MAX) return `is longer than ${PASSWORD_MAX} characters`;
  if (new Set(characters).size < 4) return 'repeats the same few characters';
  if (password.toLowerCase() === email || password.toLowerCase() === email.split('@')[0])
    return 'is the e-mail address';
  return null;
}
