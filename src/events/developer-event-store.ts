import type { DbTransaction } from '../db/pools';
import { tenantColumns } from '../db/tenant-columns';
import type { EventStatus, EventType } from '../domain/event-types';
import type { Instant } from '../domain/instant';
import { newIdentifier } from '../identifiers/identifier';
import type { WorkspaceScope } from '../tenancy/scope';

/** What a feature tells the history. `data` is shown as it is: no secret, no personal data beyond ids. */
export interface NewDeveloperEvent {
  /** A `developerEvent` id of the caller's; made here when left out. */
  id?: string;
  type: EventType;
  status: EventStatus;
  message: string;
  source: string;
  data: Readonly<Record<string, unknown>>;
}

export interface DeveloperEventRow {
  id: string;
  type: EventType;
  status: EventStatus;
  message: string;
  source: string;
  data: Record<string, unknown>;
  createdAt: Instant;
  /** The workspace's time; null where it is `createdAt`. */
  recordedAt: Instant | null;
}

/** The columns of a DeveloperEventRow. */
export const EVENT_COLUMNS =
  'id, type, status, message, source, data, created_at AS "createdAt", recorded_at AS "recordedAt"';

/**
 * Writes one event into the open transaction, so that it is there exactly when the work is.
 *
 * @param createdAt real time, also in a sandbox whose clock was advanced: partitions and retention go by it
 * @returns the event's id
 */
export async function recordDeveloperEvent(
  trx: DbTransaction,
  scope: WorkspaceScope,
  event: NewDeveloperEvent,
  createdAt: Instant,
): Promise<string> {
  const id = event.id ?? newIdentifier('developerEvent');
  await trx('tollgate.developer_events').insert({
    ...tenantColumns(scope),
    id,
    type: event.type,
    status: event.status,
    message: event.message,
    source: event.source,
    data: JSON.stringify(await withReferences(trx, scope, event.data)),
    created_at: new Date(createdAt),
    recorded_at: trx.raw(
      `(SELECT CAST(:createdAt AS timestamptz) + offset_ms * interval '1 millisecond' FROM tollgate.sandbox_clocks
         WHERE workspace_id = :workspaceId AND environment = :environment AND offset_ms > 0)`,
      { ...scope, createdAt: new Date(createdAt) },
    ),
  });
  return id;
}

/**
 * What every event can be found by: the customer, also of what names a subscription only, and the request, where the
 * transaction works for one (`setRequest`).
 */
async function withReferences(
  trx: DbTransaction,
  scope: WorkspaceScope,
  data: Readonly<Record<string, unknown>>,
): Promise<Readonly<Record<string, unknown>>> {
  const { rows } = await trx.raw<{ rows: { customerId: string | null; requestId: string | null }[] }>(
    `SELECT NULLIF(current_setting('tollgate.request_id', true), '') AS "requestId",
            (SELECT customer_id FROM tollgate.subscriptions
              WHERE workspace_id = :workspaceId AND environment = :environment AND id = :subscriptionId) AS "customerId"`,
    { ...scope, subscriptionId: typeof data['subscriptionId'] === 'string' ? data['subscriptionId'] : null },
  );
  const { customerId = null, requestId = null } = rows[0] ?? {};
  return {
    ...(customerId !== null && { customerId }),
    ...(requestId !== null && { requestId }),
    ...data,
  };
}
