import type { DbTransaction } from '../db/pools';
import { TollgateError } from '../domain/errors';
import { findTransactions } from '../subscriptions/transaction-store';
import type { WorkspaceScope } from '../tenancy/scope';
import { toCheckoutResource, type CheckoutResource } from './checkout-resource';
import { findCheckout, type CheckoutRow } from './checkout-store';

/** @throws TollgateError checkout_not_found */
async function requireCheckout(trx: DbTransaction, scope: WorkspaceScope, id: string): Promise<CheckoutRow> {
  const row = await findCheckout(trx, scope, id);
  if (row === undefined) throw checkoutNotFound(id);
  return row;
}

export function checkoutNotFound(id: string): TollgateError {
  return new TollgateError('checkout_not_found', `There is no checkout "${id}" in this environment.`);
}

/** A checkout for an answer. @throws TollgateError checkout_not_found */
export async function readCheckout(
  trx: DbTransaction,
  scope: WorkspaceScope,
  id: string,
): Promise<CheckoutResource> {
  const row = await requireCheckout(trx, scope, id);
  const toResource = await resourceMapper(trx, scope, [row]);
  return toResource(row);
}

/** Reads the transactions of all rows at once. */
export async function resourceMapper(
  trx: DbTransaction,
  scope: WorkspaceScope,
  rows: readonly CheckoutRow[],
): Promise<(row: CheckoutRow) => CheckoutResource> {
  const ids = rows.flatMap(({ transactionId }) => (transactionId === null ? [] : [transactionId]));
  const transactions = new Map((await findTransactions(trx, scope, ids)).map((one) => [one.id, one]));
  return (row) =>
    toCheckoutResource(row, row.transactionId === null ? undefined : transactions.get(row.transactionId));
}
