import type { OrganizationOperator } from '../../organizations/organization-transaction';
import type { PlatformPrincipal } from '../principals';

/** Returns the acting operator for organization-wide features. */
export function organizationOperator(call: {
  params: { id: string };
  principal: PlatformPrincipal;
  ip: string;
}): OrganizationOperator {
  const { operatorId, receivedAt } = call.principal;
  return { workspaceId: call.params.id, operatorId, reason: 'OPERATOR', ip: call.ip, receivedAt };
}
