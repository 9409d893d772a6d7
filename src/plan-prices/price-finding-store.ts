import { z } from 'zod';
import type { DbTransaction } from '../db/pools';
import { tenantColumns } from '../db/tenant-columns';
import type { WorkspaceScope } from '../tenancy/actor';

/** The difference found when a plan's price was last read, by plan id. */
export type PriceFindings = Readonly<Record<string, string>>;

const findings = z.record(z.string(), z.string());

/** Reads the findings by connection. */
export async function readPriceFindings(
  trx: DbTransaction,
  scope: WorkspaceScope,
): Promise<ReadonlyMap<string, PriceFindings>> {
  const rows = await trx('tollgate.provider_connections')
    .where(tenantColumns(scope))
    .whereNotNull('plan_price_findings')
    .select<{ id: string; found: unknown }[]>({ id: 'id', found: 'plan_price_findings' });
  return new Map(rows.map(({ id, found }) => [id, findings.parse(found)]));
}

/** Reads the findings and locks the connection's row; undefined if there is none. */
export async function lockPriceFindings(
  trx: DbTransaction,
  scope: WorkspaceScope,
  connectionId: string,
): Promise<PriceFindings | undefined> {
  const row = await connection(trx, scope, connectionId)
    .forNoKeyUpdate()
    .first<{ found: unknown } | undefined>({ found: 'plan_price_findings' });
  return row === undefined ? undefined : findings.parse(row.found ?? {});
}

export async function writePriceFindings(
  trx: DbTransaction,
  scope: WorkspaceScope,
  connectionId: string,
  found: PriceFindings,
): Promise<void> {
  await connection(trx, scope, connectionId).update({ plan_price_findings: JSON.stringify(found) });
}

function connection(trx: DbTransaction, scope: WorkspaceScope, id: string) {
  return trx('tollgate.provider_connections').where({ ...tenantColumns(scope), id });
}
