import type { DbTransaction } from '../db/pools';
import type { Instant } from '../domain/instant';

export interface OrganizationRow {
  workspace_id: string;
  name: string;
  slug: string;
  created_at: Instant;
  /** Whether members without a second factor may do nothing but enrol one. */
  require_second_factor: boolean;
}

const COLUMNS = ['workspace_id', 'name', 'slug', 'created_at', 'require_second_factor'] as const;

export async function findOrganization(
  trx: DbTransaction,
  workspaceId: string,
): Promise<OrganizationRow | undefined> {
  return trx('tollgate.organizations')
    .where({ workspace_id: workspaceId })
    .first<OrganizationRow | undefined>(...COLUMNS);
}

/**
 * Blocks other changes of this organization's members or invitations until the transaction ends. Foreign-key references
 * to the organization are not blocked.
 */
export async function lockOrganization(trx: DbTransaction, workspaceId: string): Promise<void> {
  await trx('tollgate.organizations')
    .where({ workspace_id: workspaceId })
    .forNoKeyUpdate()
    .select('workspace_id');
}

/**
 * Inserts an organization; false if the slug is taken. Only the unique index can detect that, because other
 * organizations are not visible.
 */
export async function insertOrganization(
  trx: DbTransaction,
  organization: Omit<OrganizationRow, 'require_second_factor'>,
): Promise<boolean> {
  const { rowCount } = await trx.raw<{ rowCount: number }>(
    `INSERT INTO tollgate.organizations (workspace_id, name, slug, created_at)
     VALUES (:workspaceId, :name, :slug, :createdAt) ON CONFLICT (slug) DO NOTHING`,
    {
      workspaceId: organization.workspace_id,
      name: organization.name,
      slug: organization.slug,
      createdAt: new Date(organization.created_at),
    },
  );
  return rowCount === 1;
}

export async function renameOrganization(
  trx: DbTransaction,
  workspaceId: string,
  name: string,
): Promise<void> {
  await trx('tollgate.organizations').where({ workspace_id: workspaceId }).update({ name });
}

export async function setSecondFactorRequired(
  trx: DbTransaction,
  workspaceId: string,
  isRequired: boolean,
): Promise<void> {
  await trx('tollgate.organizations')
    .where({ workspace_id: workspaceId })
    .update({ require_second_factor: isRequired });
}
