import type { DbTransaction } from '../db/pools';
import type { Instant } from '../domain/instant';
import type { Role } from '../operators/roles';

export interface MemberRow {
  operator_id: string;
  role: Role;
  created_at: Instant;
  email: string;
  name: string;
  /** Whether they have a confirmed second factor. */
  has_second_factor: boolean;
}

/** Lists members in the order in which they joined, with their operator's details. */
export async function listMembers(trx: DbTransaction, workspaceId: string): Promise<MemberRow[]> {
  return members(trx, workspaceId)
    .orderBy('m.created_at')
    .orderBy('m.operator_id')
    .select<MemberRow[]>(...COLUMNS, trx.raw(HAS_SECOND_FACTOR));
}

export async function findMember(
  trx: DbTransaction,
  workspaceId: string,
  operatorId: string,
): Promise<MemberRow | undefined> {
  return members(trx, workspaceId)
    .where('m.operator_id', operatorId)
    .first<MemberRow | undefined>(...COLUMNS, trx.raw(HAS_SECOND_FACTOR));
}

/** Whether a member of the organization has this address. */
export async function isMemberByEmail(
  trx: DbTransaction,
  workspaceId: string,
  email: string,
): Promise<boolean> {
  const found = await members(trx, workspaceId)
    .whereRaw('lower(o.email) = lower(?)', [email])
    .first<{ operator_id: string } | undefined>('m.operator_id');
  return found !== undefined;
}

/** Returns the organization's owners. The caller must hold the organization's lock. */
export async function listOwners(trx: DbTransaction, workspaceId: string): Promise<string[]> {
  const rows = await trx('tollgate.organization_members')
    .where({ workspace_id: workspaceId, role: 'owner' })
    .select<{ operator_id: string }[]>('operator_id');
  return rows.map((row) => row.operator_id);
}

/** Adds a member; false if the operator is one already, whose role then stays unchanged. */
export async function insertMember(
  trx: DbTransaction,
  member: { workspaceId: string; operatorId: string; role: Role; now: Instant },
): Promise<boolean> {
  const inserted = await trx('tollgate.organization_members')
    .insert({
      workspace_id: member.workspaceId,
      operator_id: member.operatorId,
      role: member.role,
      created_at: new Date(member.now),
    })
    .onConflict(['workspace_id', 'operator_id'])
    .ignore()
    .returning<{ role: string }[]>('role');
  return inserted.length === 1;
}

export async function updateMemberRole(
  trx: DbTransaction,
  workspaceId: string,
  operatorId: string,
  role: Role,
): Promise<void> {
  await trx('tollgate.organization_members')
    .where({ workspace_id: workspaceId, operator_id: operatorId })
    .update({ role });
}

export async function deleteMember(
  trx: DbTransaction,
  workspaceId: string,
  operatorId: string,
): Promise<void> {
  await trx('tollgate.organization_members')
    .where({ workspace_id: workspaceId, operator_id: operatorId })
    .delete();
}

/** Ends the reset links that an operator created. They do not work again if the operator becomes an owner again. */
export async function endResetLinksBy(
  trx: DbTransaction,
  workspaceId: string,
  operatorId: string,
  now: Instant,
): Promise<void> {
  await trx('tollgate.member_reset_links')
    .where({ workspace_id: workspaceId, issued_by: operatorId })
    .whereNull('used_at')
    .whereNull('revoked_at')
    .update({ revoked_at: new Date(now) });
}

const HAS_SECOND_FACTOR = `EXISTS (SELECT FROM tollgate.operator_second_factors f
   WHERE f.operator_id = m.operator_id AND f.confirmed_at IS NOT NULL) AS has_second_factor`;
const COLUMNS = ['m.operator_id', 'm.role', 'm.created_at', 'o.email', 'o.name'] as const;

function members(trx: DbTransaction, workspaceId: string) {
  return trx('tollgate.organization_members as m')
    .join('tollgate.operators as o', 'o.id', 'm.operator_id')
    .where('m.workspace_id', workspaceId);
}
