import { TollgateError } from '../domain/errors';

/**
 * Error of a failed log-in: the same for an unknown account, a wrong password, and an account that changed during the
 * attempt.
 */
export function loginFailed(): TollgateError {
  return new TollgateError('login_failed', 'The e-mail address or the password is wrong.');
}

/** Error of a wrong password that an operator who is logged in has entered again, or that was changed meanwhile. */
export function passwordWrong(): TollgateError {
  return new TollgateError('password_wrong', 'It is not the password of the account that is logged in.');
}
