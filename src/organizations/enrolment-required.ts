import { TollgateError } from '../domain/errors';

/** Error for a member without a second factor in an organization that requires one. */
export function enrolmentRequired(): TollgateError {
  return new TollgateError(
    'second_factor_enrolment_required',
    'This organization requires a second factor, and your account has none yet.',
  );
}
