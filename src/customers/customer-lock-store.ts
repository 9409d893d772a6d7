import { customerLock } from '../db/advisory-locks';
import { hasSqlState } from '../db/sql-state';
import type { DbTransaction } from '../db/pools';
import { tenantColumns } from '../db/tenant-columns';
import { TollgateError } from '../domain/errors';
import type { WorkspaceScope } from '../tenancy/actor';

/**
 * Locks a customer's balances until the end of the transaction: no other transaction counts or deducts for the
 * customer. It is the same lock that track takes (src/usage). An idempotency key must be claimed before it, never
 * after.
 *
 * @throws TollgateError service_busy if others hold it for five seconds
 */
export async function lockBalances(
  trx: DbTransaction,
  scope: WorkspaceScope,
  externalId: string,
): Promise<void> {
  try {
    await trx.raw("SET LOCAL lock_timeout = '5s'");
    await trx.raw(`SELECT pg_advisory_xact_lock(${customerLock('?::text', '?::text', '?::text')})`, [
      scope.workspaceId,
      scope.environment,
      externalId,
    ]);
  } catch (error) {
    if (hasSqlState(error, 'lock_not_available')) {
      const message = 'This customer’s balances are locked by other calls.';
      throw new TollgateError('service_busy', message, { retryAfter: 1, cause: error });
    }
    throw error;
  }
}

/**
 * Serializes the checkouts of one customer until the transaction ends. Rows that only refer to the customer (payments,
 * transactions) do not wait for it, because they take their own locks first, and waiting here would reverse the order.
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
