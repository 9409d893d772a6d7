import type { DbTransaction } from '../db/pools';
import { tenantColumns } from '../db/tenant-columns';
import type { WorkspaceScope } from '../tenancy/scope';

/** A plan that says of itself who it is at a provider. */
export interface SelfNamedPlan {
  id: string;
  slug: string;
  metadata: Readonly<Record<string, unknown>>;
}

/** The plans whose metadata has this member, the archived ones too: who is on one stays on it. */
export async function findSelfNamedPlans(
  trx: DbTransaction,
  scope: WorkspaceScope,
  member: string,
): Promise<SelfNamedPlan[]> {
  return trx('tollgate.plans')
    .where(tenantColumns(scope))
    .whereRaw('metadata -> ? IS NOT NULL', [member])
    .orderBy('id')
    .select<SelfNamedPlan[]>('id', 'slug', 'metadata');
}
