import { TollgateError } from '../domain/errors';

/** The same for an unknown account as for a wrong password, and for one that changed during the attempt. */
export function loginFailed(): TollgateError {
  return new TollgateError('login_failed', 'The e-mail address or the password is wrong.');
}
