import { recordOrganizationAudit } from '../audit/audit-store';
import type { Database } from '../db/pools';
import { TollgateError } from '../domain/errors';
import { SECRET_LINK_PAGES, secretLink } from '../domain/secret-links';
import { DAY_MS, type Instant } from '../domain/instant';
import { newIdentifier } from '../identifiers/identifier';
import { lockOperator } from '../operators/operator-store';
import { hashToken, newSessionToken } from '../operators/session-token';
import { findMember } from '../organizations/member-store';
import { changeMembership, type OrganizationOperator } from '../organizations/organization-transaction';
import { insertResetLink } from './reset-link-store';
import { assertMayReset } from './assert-may-reset';

/** How long a reset link is valid. */
const RESET_LINK_MS = DAY_MS;

export type IssueResetLink = ReturnType<typeof createIssueResetLink>;

/**
 * Creates a link with which a member who lost their device or password regains access. An earlier link of theirs ends.
 * It is shown once and not stored.
 *
 * @throws TollgateError organization_forbidden, role_forbidden, operator_not_found, reset_link_refused
 */
export function createIssueResetLink({ database, urls }: { database: Database; urls: { console: string } }) {
  return (
    actor: OrganizationOperator,
    operatorId: string,
  ): Promise<{ id: string; link: string; email: string; expiresAt: Instant }> =>
    changeMembership(database, actor, 'owner', async (trx, issuerRole) => {
      const { workspaceId, operatorId: issuerId, receivedAt: now } = actor;
      const member = await findMember(trx, workspaceId, operatorId);
      const operator = await lockOperator(trx, operatorId);
      const notFound = new TollgateError('operator_not_found', 'No member of this organization has this id.');
      if (member === undefined || operator === undefined) throw notFound;
      await assertMayReset(trx, { issuerId, issuerRole, workspaceId }, operator, notFound);
      const token = newSessionToken();
      const id = newIdentifier('resetLink');
      const expiresAt = now + RESET_LINK_MS;
      const link = { id, operatorId, tokenHash: hashToken(token), issuedBy: issuerId };
      await insertResetLink(trx, workspaceId, { ...link, createdAt: now, expiresAt });
      const { email } = member;
      const detail = { email, resetLinkId: id };
      await recordOrganizationAudit(trx, actor, {
        action: 'operator.reset_link_issued',
        target: operatorId,
        detail,
      });
      return { id, link: secretLink(urls.console, SECRET_LINK_PAGES.reset, token), email, expiresAt };
    });
}
