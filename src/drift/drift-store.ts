import { OPEN_SUBSCRIPTION_STATUSES } from '../domain/subscription-types';
import { z } from 'zod';
import { createdWithin } from '../db/created-within';
import type { IdPart } from '../pagination/page-by-id';
import type { DbTransaction } from '../db/pools';
import { tenantColumns, tenantColumnsOf } from '../db/tenant-columns';
import { DRIFT_FIELDS, type Difference } from '../domain/drift';
import { DAY_MS, type Instant } from '../domain/instant';
import type { WorkspaceScope } from '../tenancy/actor';

/** The differences found by the last comparison. */
export interface DriftFinding {
  differences: Pick<Difference, 'field' | 'local' | 'provider'>[];
  /** The workspace's time. */
  foundAt: Instant;
}

const value = z.union([z.string(), z.number(), z.boolean()]);
const findingSchema = z.object({
  differences: z.array(
    z.object({
      field: z.enum(DRIFT_FIELDS),
      local: value,
      provider: value,
    }),
  ),
  foundAt: z.number(),
});

/** How long after a subscription has ended its charges are still read once. */
const ENDED_MS = 30 * DAY_MS;

/**
 * Lists subscriptions that a connection bills, newest first. These are the open ones and, for the report, those that
 * ended with a finding or after their charges were last read: the webhook that ends a subscription may be the first
 * event after a renewal whose webhook was lost.
 *
 * @param page.endedBy for the report: the workspace's time
 * @returns up to `take + 1` of them, each with an id smaller than `before`
 */
export async function listSubscriptionsOfConnection(
  trx: DbTransaction,
  scope: WorkspaceScope,
  connectionId: string,
  page: IdPart & { endedBy?: Instant },
): Promise<{ id: string }[]> {
  const { endedBy } = page;
  const query = trx('tollgate.subscriptions as s')
    .where(tenantColumnsOf('s', scope))
    .where((row) => {
      void row.whereIn('s.status', OPEN_SUBSCRIPTION_STATUSES);
      if (endedBy === undefined) return;
      void row.orWhereNotNull('s.drift').orWhere((ended) => {
        void ended
          .where('s.updated_at', '>', new Date(endedBy - ENDED_MS))
          .whereRaw('(s.payments_read_at IS NULL OR s.payments_read_at < s.updated_at)');
      });
    })
    .whereExists((reference) => {
      void reference
        .from('tollgate.provider_references as r')
        .where({
          ...tenantColumnsOf('r', scope),
          'r.connection_id': connectionId,
          'r.kind': 'subscription',
        })
        .whereRaw('r.target_id = s.id')
        .select('r.target_id');
    })
    .orderBy('s.id', 'desc')
    .limit(page.take + 1);
  createdWithin(query, 's.created_at', page);
  if (page.before !== undefined) void query.where('s.id', '<', page.before);
  return query.select<{ id: string }[]>('s.id');
}

/** Reads the finding; null if the last comparison found nothing, or if there was none. */
export async function readFinding(
  trx: DbTransaction,
  scope: WorkspaceScope,
  id: string,
): Promise<DriftFinding | null> {
  const row = await subscription(trx, scope, id).first<{ drift: unknown } | undefined>('drift');
  return row === undefined || row.drift === null ? null : findingSchema.parse(row.drift);
}

/** Saves the finding. The caller holds the row's lock; the row's version is unchanged. */
export async function writeFinding(
  trx: DbTransaction,
  scope: WorkspaceScope,
  id: string,
  finding: DriftFinding | null,
): Promise<void> {
  const drift = finding === null ? null : JSON.stringify(finding);
  await subscription(trx, scope, id).update({ drift });
}

function subscription(trx: DbTransaction, scope: WorkspaceScope, id: string) {
  return trx('tollgate.subscriptions').where({ ...tenantColumns(scope), id });
}
