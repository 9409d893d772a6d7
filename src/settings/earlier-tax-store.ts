import { rowsAs, type Call } from '../db/calls';
import { insertEarlier } from '../db/insert-earlier';
import type { DbTransaction } from '../db/pools';
import { tenantColumns } from '../db/tenant-columns';
import type { Instant } from '../domain/instant';
import type { WorkspaceScope } from '../tenancy/actor';
import type { Settings } from './settings-store';

type TaxSettings = Pick<Settings, 'taxBehavior' | 'taxRates'>;

/**
 * Stores a workspace's tax settings until an edit, for the periods that began before it. The caller holds the lock of
 * the settings.
 *
 * @param until workspace time of the edit
 */
export function insertEarlierTax(
  trx: DbTransaction,
  scope: WorkspaceScope,
  { taxBehavior, taxRates }: TaxSettings,
  until: Instant,
): Promise<void> {
  const values = { tax_behavior: taxBehavior, tax_rates: JSON.stringify(taxRates) };
  return insertEarlier(trx, {
    table: 'tollgate.earlier_tax_settings',
    of: tenantColumns(scope),
    values,
    until,
  });
}

/** Returns the tax settings for a period that begins at an instant of workspace time, however late they are read. */
export function taxAtCall({ workspaceId, environment }: WorkspaceScope, at: Instant): Call<TaxSettings> {
  return {
    name: 'tax_at',
    text: `SELECT tax_behavior AS "taxBehavior", tax_rates AS "taxRates" FROM (
             (SELECT tax_behavior, tax_rates, until FROM tollgate.earlier_tax_settings
               WHERE workspace_id = $1 AND environment = $2 AND until > $3 ORDER BY until LIMIT 1)
             UNION ALL
             SELECT tax_behavior, tax_rates, NULL FROM tollgate.workspace_settings
              WHERE workspace_id = $1 AND environment = $2) AS held
            ORDER BY until NULLS LAST LIMIT 1`,
    values: [workspaceId, environment, new Date(at).toISOString()],
    read: (rows) => {
      const [row] = rowsAs<TaxSettings>(rows);
      if (row === undefined) throw new Error(`The workspace ${workspaceId} has no ${environment} settings.`);
      return row;
    },
  };
}
