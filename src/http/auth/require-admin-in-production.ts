import { requireRole } from '../../operators/roles';
import type { OperatorPrincipal } from '../principals';

/**
 * Requires an admin in production, for actions that reach real customers or real money.
 *
 * @throws TollgateError role_forbidden
 */
export function requireAdminInProduction({ scope, role }: OperatorPrincipal): void {
  if (scope.environment === 'production') requireRole(role, 'admin');
}
