import type { DbTransaction } from '../db/pools';
import type { Instant } from '../domain/instant';
import { SESSION_IDLE_MS } from '../operators/sessions';

/**
 * Those of the sessions that can still be used and whose operator is a member of the organization. Read after the
 * events that are to be sent, it leaves nothing to one who had lost the right before an event was written.
 */
export async function findAllowedSessions(
  trx: DbTransaction,
  workspaceId: string,
  sessionIds: readonly string[],
  now: Instant,
): Promise<Set<string>> {
  const rows = await trx('tollgate.operator_sessions as s')
    .join('tollgate.organization_members as m', 'm.operator_id', 's.operator_id')
    .where('m.workspace_id', workspaceId)
    .whereIn('s.id', sessionIds)
    .whereNull('s.revoked_at')
    .where('s.expires_at', '>', new Date(now))
    .where('s.last_seen_at', '>', new Date(now - SESSION_IDLE_MS))
    .select<{ id: string }[]>('s.id');
  return new Set(rows.map((row) => row.id));
}
