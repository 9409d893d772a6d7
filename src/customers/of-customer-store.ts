import type { Knex } from 'knex';
import { tenantColumns } from '../db/tenant-columns';
import type { WorkspaceScope } from '../tenancy/actor';

/** Names the customer of a list's items by our id, by the integrator's, or by both. */
export interface CustomerFilter {
  customerId?: string;
  externalId?: string;
}

/**
 * Limits a list to one customer's items. An unknown customer has none.
 *
 * @param column with the customer's id
 */
export function ofCustomer(
  query: Knex.QueryBuilder,
  column: string,
  scope: WorkspaceScope,
  { customerId, externalId }: CustomerFilter,
): void {
  if (customerId !== undefined) void query.where(column, customerId);
  if (externalId === undefined) return;
  const named = { ...tenantColumns(scope), external_id: externalId };
  void query.where(column, (customer: Knex.QueryBuilder) => {
    void customer.from('tollgate.customers').where(named).select('id');
  });
}
