import { TollgateError } from '../domain/errors';
import type { ResetRefusal } from '../domain/second-factor';

const WHO_CAN = 'The administrator of this installation can, with `npm run operator:reset`.';

/** Why a reset is refused, and who can perform it. */
const WORDS: Record<Exclude<ResetRefusal, 'not_owner' | 'not_member'>, string> = {
  own_account: `Nobody makes a reset link for themselves: ask another owner. ${WHO_CAN}`,
  platform_administrator: `This account administers the whole installation, so no organization’s owner can reset it. ${WHO_CAN}`,
  elsewhere_too: `This account also belongs to another organization, so the owners of this one cannot reset it. ${WHO_CAN}`,
};

/** Returns the refusal as an error; `otherwise` if no details may be given. */
export function resetRefused(refusal: ResetRefusal, otherwise: TollgateError): TollgateError {
  if (refusal === 'not_owner' || refusal === 'not_member') return otherwise;
  return new TollgateError('reset_link_refused', WORDS[refusal]);
}
