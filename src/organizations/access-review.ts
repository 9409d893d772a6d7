import type { Database, DbTransaction } from '../db/pools';
import { setContext } from '../db/workspace-transaction';
import type { Environment } from '../domain/environment';
import { toAccessGrant, type AccessGrant } from './access-review-resource';
import { listGrants, listInvitedMembers } from './access-review-store';
import { asMember, type OrganizationOperator } from './organization-transaction';

const ENVIRONMENTS: readonly Environment[] = ['production', 'sandbox'];

export interface AccessReview {
  /**
   * Lists the active keys, enabled connections, enabled webhook endpoints and members, of both environments, that one
   * operator made or invited; without `operatorId`, those of all former members.
   *
   * @throws TollgateError organization_forbidden, role_forbidden
   */
  list(actor: OrganizationOperator, operatorId?: string): Promise<AccessGrant[]>;
}

export function createAccessReview(database: Database): AccessReview {
  return {
    list: (actor, operatorId) =>
      asMember(database, actor, 'admin', (trx) => reviewAccess(trx, actor, operatorId ?? null)),
  };
}

/** Does the same in an open transaction of the organization, and leaves it in one of the environments. */
export async function reviewAccess(
  trx: DbTransaction,
  { workspaceId, reason, receivedAt }: OrganizationOperator,
  operatorId: string | null,
): Promise<AccessGrant[]> {
  const rows = await listInvitedMembers(trx, workspaceId, operatorId);
  for (const environment of ENVIRONMENTS) {
    await setContext(trx, workspaceId, environment, reason);
    rows.unshift(...(await listGrants(trx, { workspaceId, environment }, operatorId, receivedAt)));
  }
  return rows.map(toAccessGrant);
}
