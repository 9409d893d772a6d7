import type { DbTransaction } from '../db/pools';
import { TollgateError } from '../domain/errors';
import { resetRefusal, type ResetCase, type ResetRefusal } from '../domain/second-factor';
import type { OperatorRow } from '../operators/operator-store';
import { findMemberships } from '../organizations/membership-store';

const WHO_CAN = 'The administrator of this installation can, with `npm run operator:reset`.';

/** Why a reset is refused, and who can perform it. */
const WORDS: Record<Exclude<ResetRefusal, 'not_owner' | 'not_member'>, string> = {
  own_account: `Nobody makes a reset link for themselves: ask another owner. ${WHO_CAN}`,
  platform_administrator: `This account administers the whole installation, so no organization’s owner can reset it. ${WHO_CAN}`,
  elsewhere_too: `This account also belongs to another organization, so the owners of this one cannot reset it. ${WHO_CAN}`,
};

/**
 * Checks whether the issuer of a reset link may reset this account.
 *
 * @param operator locked, so that it cannot join another organization in the meantime
 * @param otherwise thrown instead if no details may be given
 * @throws TollgateError reset_link_refused, or `otherwise`
 */
export async function assertMayReset(
  trx: DbTransaction,
  issuer: Pick<ResetCase, 'issuerId' | 'issuerRole' | 'workspaceId'>,
  operator: OperatorRow,
  otherwise: TollgateError,
): Promise<void> {
  const refusal = resetRefusal({
    ...issuer,
    operatorId: operator.id,
    organizations: (await findMemberships(trx, operator.id)).map(({ workspaceId }) => workspaceId),
    isPlatformAdministrator: operator.is_platform_administrator,
  });
  if (refusal !== null) throw resetRefused(refusal, otherwise);
}

function resetRefused(refusal: ResetRefusal, otherwise: TollgateError): TollgateError {
  if (refusal === 'not_owner' || refusal === 'not_member') return otherwise;
  return new TollgateError('reset_link_refused', WORDS[refusal]);
}
