import { OPEN_SUBSCRIPTION_STATUSES } from '../domain/subscription-types';
import type { DbTransaction } from '../db/pools';
import { tenantColumns } from '../db/tenant-columns';
import type { Instant } from '../domain/instant';
import type { WorkspaceScope } from '../tenancy/actor';

/** A row that must have a workflow: an open subscription of local billing, or an open checkout. */
export interface WakingRow {
  kind: 'subscription' | 'checkout';
  id: string;
  /** The workspace's time. */
  nextWakeAt: Instant | null;
}

/** Lists one page of rows by id, after the last row of the previous page. */
export async function listWakingRows(
  trx: DbTransaction,
  scope: WorkspaceScope,
  page: { kind: WakingRow['kind']; after: string; limit: number },
): Promise<WakingRow[]> {
  const { kind, after, limit } = page;
  const rows = await wakingRows(trx, scope, kind)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .select<Omit<WakingRow, 'kind'>[]>({ id: 'id', nextWakeAt: 'next_wake_at' });
  return rows.map((row) => ({ kind, ...row }));
}

/** Reads the current row; undefined when it no longer needs a workflow. */
export async function findWakingRow(
  trx: DbTransaction,
  scope: WorkspaceScope,
  { kind, id }: WakingRow,
): Promise<WakingRow | undefined> {
  const row = await wakingRows(trx, scope, kind)
    .where({ id })
    .first<{ nextWakeAt: Instant | null } | undefined>({ nextWakeAt: 'next_wake_at' });
  return row && { kind, id, nextWakeAt: row.nextWakeAt };
}

function wakingRows(trx: DbTransaction, scope: WorkspaceScope, kind: WakingRow['kind']) {
  const table = kind === 'subscription' ? 'tollgate.subscriptions' : 'tollgate.checkouts';
  const open = kind === 'subscription' ? OPEN_SUBSCRIPTION_STATUSES : ['open'];
  return trx(table).where(tenantColumns(scope)).whereIn('status', open);
}
