import type { DbTransaction } from '../db/pools';
import { planReferencesOf } from '../providers/plan-references';
import type { ConnectionRef } from './connection-ref';
import { findConnection } from './connection-store';
import { listFormerReferences } from './former-price-store';
import { settingsWithPlans } from './settings-with-plans';

/** Returns whether a provider's plan is, or was, the reference of a plan of the workspace at a connection. */
export async function isPlanSold(
  trx: DbTransaction,
  { scope, id }: ConnectionRef,
  reference: string,
): Promise<boolean> {
  const row = await findConnection(trx, scope, id);
  if (row === undefined) return false;
  const references = [...planReferencesOf(await settingsWithPlans(trx, scope, row)).values()];
  return references.includes(reference) || (await listFormerReferences(trx, scope, id)).includes(reference);
}
