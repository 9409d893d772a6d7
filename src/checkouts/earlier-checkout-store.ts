import type { DbTransaction } from '../db/pools';
import { tenantColumns } from '../db/tenant-columns';
import type { WorkspaceScope } from '../tenancy/scope';

/**
 * Has checkouts of one customer made one after the other, until the transaction ends. Rows that only refer to the
 * customer (payments, transactions) do not wait for it: their own locks come first, and this one would turn the order.
 */
export async function lockCustomerForCheckout(
  trx: DbTransaction,
  scope: WorkspaceScope,
  customerId: string,
): Promise<void> {
  await trx('tollgate.customers')
    .where({ ...tenantColumns(scope), id: customerId })
    .forNoKeyUpdate()
    .select('id');
}

/** The customer's subscriptions in the plan group that wait for a checkout to be paid: their ids. */
export async function findIncompleteSubscriptions(
  trx: DbTransaction,
  scope: WorkspaceScope,
  customerId: string,
  planGroupId: string,
): Promise<string[]> {
  const rows = await trx('tollgate.subscriptions')
    .where({
      ...tenantColumns(scope),
      customer_id: customerId,
      plan_group_id: planGroupId,
      status: 'incomplete',
    })
    .orderBy('id')
    .select<{ id: string }[]>('id');
  return rows.map(({ id }) => id);
}
