import type { z } from 'zod';
import { listFeaturesFor } from '../catalog/feature-store';
import type { Database } from '../db/pools';
import { inWorkspaceSnapshot } from '../db/workspace-transaction';
import { decimalFromNumber } from '../domain/decimal';
import { completeList } from '../pagination/complete-list';
import type { Actor } from '../tenancy/actor';
import { previewChecks } from '../usage/preview-checks';
import { requireCustomer, findCustomer } from './customer-store';
import type { customerEntitlementsQuery, customerEntitlementsSchema } from './entitlement-resource';

/**
 * Reads what a customer, or one of its entities, may use now: each feature that is not archived or that its plans
 * grant, with the answer that a check of one unit would give.
 *
 * @throws TollgateError customer_not_found
 */
export type ReadCustomerEntitlements = (
  actor: Actor,
  customerId: string,
  query: z.output<typeof customerEntitlementsQuery>,
) => Promise<z.output<typeof customerEntitlementsSchema>>;

const ONE = decimalFromNumber(1);

export function createReadCustomerEntitlements(database: Database): ReadCustomerEntitlements {
  return ({ scope, reason, receivedAt }, id, { entity = null }) =>
    inWorkspaceSnapshot(database, scope, reason, async (trx) => {
      const { externalId } = requireCustomer(await findCustomer(trx, scope, { id }), id);
      const features = await listFeaturesFor(trx, scope, id);
      const pairs = features.map(({ key }) => ({ externalId, feature: key }));
      const checks = await previewChecks(trx, scope, pairs, { quantity: ONE, entity }, receivedAt);
      return completeList(
        features.flatMap(({ name, kind }, index) => {
          const check = checks[index];
          return check === undefined ? [] : [{ ...check, name, kind }];
        }),
      );
    });
}
