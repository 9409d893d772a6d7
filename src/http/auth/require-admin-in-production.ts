import { requireRole } from '../../operators/roles';
import type { OperatorPrincipal } from '../principals';

/**
 * What reaches real customers and real money in production needs an admin there.
 *
 * @throws TollgateError role_forbidden
 */
export function requireAdminInProduction({ scope, role }: OperatorPrincipal): void {
  if (scope.environment === 'production') requireRole(role, 'admin');
}
