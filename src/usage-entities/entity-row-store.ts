import { createdWithin } from '../db/created-within';
import type { DbTransaction } from '../db/pools';
import { tenantColumns } from '../db/tenant-columns';
import type { Instant } from '../domain/instant';
import type { CreationPart } from '../pagination/page-by-creation';
import type { WorkspaceScope } from '../tenancy/actor';

/** An entity as stored. */
export interface CustomerEntityRow {
  customerId: string;
  entity: string;
  createdAt: Instant;
}

/** Lists a customer's entities, newest first. */
export async function listEntities(
  trx: DbTransaction,
  scope: WorkspaceScope,
  customerId: string,
  page: CreationPart,
): Promise<CustomerEntityRow[]> {
  const query = trx('tollgate.customer_entities')
    .where({ ...tenantColumns(scope), customer_id: customerId })
    // Implies the condition of customer_entities_newest, which holds for every row.
    .whereRaw("created_at < 'infinity'")
    .orderBy([
      { column: 'created_at', order: 'desc' },
      { column: 'entity', order: 'desc' },
    ])
    .limit(page.limit)
    .select<CustomerEntityRow[]>({ customerId: 'customer_id', entity: 'entity', createdAt: 'created_at' });
  createdWithin(query, 'created_at', page);
  if (page.before !== undefined) {
    const { createdAt, id } = page.before;
    void query.whereRaw('(created_at, entity) < (?, ?)', [new Date(createdAt), id]);
  }
  return query;
}

/** @returns whether the entity existed. The customer's balances must be locked. */
export async function deleteEntity(
  trx: DbTransaction,
  scope: WorkspaceScope,
  { customerId, entity }: Pick<CustomerEntityRow, 'customerId' | 'entity'>,
): Promise<boolean> {
  const deleted = await trx('tollgate.customer_entities')
    .where({ ...tenantColumns(scope), customer_id: customerId, entity })
    .delete();
  return deleted > 0;
}
