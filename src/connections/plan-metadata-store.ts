import type { DbTransaction } from '../db/pools';
import { tenantColumns } from '../db/tenant-columns';
import type { WorkspaceScope } from '../tenancy/scope';

/** A plan whose metadata names it at a provider. */
export interface PlanWithMetadata {
  id: string;
  slug: string;
  metadata: Readonly<Record<string, unknown>>;
}

/** The plans whose metadata has this member, archived ones included: their subscriptions continue. */
export async function findPlansWithMetadata(
  trx: DbTransaction,
  scope: WorkspaceScope,
  member: string,
): Promise<PlanWithMetadata[]> {
  return trx('tollgate.plans')
    .where(tenantColumns(scope))
    .whereRaw('metadata -> ? IS NOT NULL', [member])
    .orderBy('id')
    .select<PlanWithMetadata[]>('id', 'slug', 'metadata');
}
