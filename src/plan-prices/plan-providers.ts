import type { PlanProviderResource } from '../catalog/plan-provider-resource';
import type { PlanWithOffer } from '../catalog/plan-store';
import { listAllConnections } from '../connections/connection-store';
import { planReferenceOf } from '../connections/plan-reference';
import type { DbTransaction } from '../db/pools';
import { saleObstacle, type Seller } from '../domain/plan-sale';
import type { WorkspaceScope } from '../tenancy/actor';
import { readPriceFindings } from './price-finding-store';

/** Reads where plans can be sold: local billing, then each connection in the order of creation. */
export async function readPlanProviders(
  trx: DbTransaction,
  scope: WorkspaceScope,
): Promise<(plan: PlanWithOffer) => PlanProviderResource[]> {
  const connections = await listAllConnections(trx, scope);
  const findings = await readPriceFindings(trx, scope);
  connections.sort((one, other) => (one.id < other.id ? -1 : 1));
  const local: Seller = { provider: 'internal', disabled: false, mapped: true, priceDiffers: false };
  return (plan) => [
    show(plan, null, local),
    ...connections.map((connection) =>
      show(plan, connection.id, {
        provider: connection.provider,
        disabled: connection.disabled_at !== null,
        mapped: planReferenceOf(connection, plan) !== null,
        priceDiffers: findings.get(connection.id)?.[plan.id] !== undefined,
      }),
    ),
  ];
}

function show(plan: PlanWithOffer, connectionId: string | null, seller: Seller): PlanProviderResource {
  const reason = saleObstacle(plan, seller);
  const { provider, mapped } = seller;
  return { provider, connectionId, mapped, sellable: reason === null, reason };
}
