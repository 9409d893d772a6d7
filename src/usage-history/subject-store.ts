import type { DbTransaction } from '../db/pools';
import { tenantColumns } from '../db/tenant-columns';
import { TollgateError } from '../domain/errors';
import type { WorkspaceScope } from '../tenancy/actor';

/** A feature or customer with the name that integrators use. */
export interface Named {
  id: string;
  name: string;
}

export async function listFeatureNames(trx: DbTransaction, scope: WorkspaceScope): Promise<Named[]> {
  return trx('tollgate.features')
    .where(tenantColumns(scope))
    .orderBy('id')
    .select<Named[]>({ id: 'id', name: 'key' });
}

/** @throws TollgateError feature_not_found */
export async function findFeatureId(trx: DbTransaction, scope: WorkspaceScope, key: string): Promise<string> {
  const found = await trx('tollgate.features')
    .where({ ...tenantColumns(scope), key })
    .first<{ id: string } | undefined>('id');
  if (found !== undefined) return found.id;
  throw new TollgateError('feature_not_found', `There is no feature "${key}" in this environment.`);
}

/** @throws TollgateError customer_not_found */
export async function findCustomerId(
  trx: DbTransaction,
  scope: WorkspaceScope,
  externalId: string,
): Promise<string> {
  const found = await trx('tollgate.customers')
    .where({ ...tenantColumns(scope), external_id: externalId })
    .first<{ id: string } | undefined>('id');
  if (found !== undefined) return found.id;
  throw new TollgateError('customer_not_found', `There is no customer "${externalId}" in this environment.`);
}

export async function listCustomerNames(
  trx: DbTransaction,
  scope: WorkspaceScope,
  ids: readonly string[],
): Promise<Named[]> {
  return trx('tollgate.customers')
    .where(tenantColumns(scope))
    .whereIn('id', [...ids])
    .select<Named[]>({ id: 'id', name: 'external_id' });
}
