import { announced, arraysOf, type Announcement } from '../announcements/announcement-store';
import { nothing, together, type Call } from '../db/calls';
import type { DbTransaction } from '../db/pools';
import type { EventStatus, EventType } from '../domain/event-types';
import type { Instant } from '../domain/instant';
import { newIdentifier } from '../identifiers/identifier';
import type { WorkspaceScope } from '../tenancy/actor';

/**
 * An event that a feature adds to the history. `data` is shown unchanged, so it must hold no secret, and no personal
 * data beyond ids.
 */
export interface NewDeveloperEvent {
  /** A `developerEvent` id made by the caller; generated if omitted. */
  id?: string;
  type: EventType;
  status: EventStatus;
  message: string;
  source: string;
  data: Readonly<Record<string, unknown>>;
  /** Webhook messages sent to integrators along with it. */
  announces?: readonly Omit<Announcement, 'eventId'>[];
}

export interface DeveloperEventRow {
  id: string;
  type: EventType;
  status: EventStatus;
  message: string;
  source: string;
  data: Record<string, unknown>;
  createdAt: Instant;
  /** Workspace time; null if it equals `createdAt`. */
  recordedAt: Instant | null;
}

/** Columns of a DeveloperEventRow. */
export const EVENT_COLUMNS =
  'id, type, status, message, source, data, created_at AS "createdAt", recorded_at AS "recordedAt"';

/**
 * Writes one event in the open transaction, so that it exists exactly if the work does.
 *
 * @param createdAt real time, also in a sandbox whose clock was advanced: partitions and retention use it
 * @returns the event's id
 */
export async function recordDeveloperEvent(
  trx: DbTransaction,
  scope: WorkspaceScope,
  event: NewDeveloperEvent,
  createdAt: Instant,
): Promise<string> {
  const id = event.id ?? newIdentifier('developerEvent');
  await together(trx, [developerEventCall(scope, { ...event, id }, createdAt)]);
  return id;
}

/**
 * Adds the customer, even if the event names only a subscription, and the request, if the transaction works for one
 * (`setRequest`), so that every event can be found by them. These members come before the event's own.
 */
const INSERT = `
INSERT INTO tollgate.developer_events
  (workspace_id, environment, id, type, status, message, source, data, created_at, recorded_at)
SELECT $1, $2::tollgate.environment_name, $3, $4, $5, $6, $7,
       ('{' || concat_ws(',',
         '"customerId":' || to_json((SELECT customer_id FROM tollgate.subscriptions
                                      WHERE workspace_id = $1 AND environment = $2::tollgate.environment_name
                                        AND id = $9))::text,
         '"requestId":' || to_json(NULLIF(current_setting('tollgate.request_id', true), ''))::text,
         $8::text) || '}')::json,
       $10::timestamptz,
       (SELECT $10::timestamptz + offset_ms * interval '1 millisecond' FROM tollgate.sandbox_clocks
         WHERE workspace_id = $1 AND environment = $2::tollgate.environment_name AND offset_ms > 0)`;

/** Writes the announced messages in the same statement. */
const INSERT_AND_ANNOUNCE = `WITH recorded AS (${INSERT}) ${announced('$10', 11)}`;

/** Builds the call of {@link recordDeveloperEvent}. */
export function developerEventCall(
  scope: WorkspaceScope,
  event: NewDeveloperEvent,
  createdAt: Instant,
): Call<void> {
  const { announces = [] } = event;
  if (announces.length === 0) return plainCall(scope, event, createdAt);
  const eventId = event.id ?? newIdentifier('developerEvent');
  const call = plainCall(scope, { ...event, id: eventId }, createdAt);
  const arrays = arraysOf(announces.map((fact) => ({ ...fact, eventId })));
  return {
    ...call,
    name: 'developer_event_announced',
    text: INSERT_AND_ANNOUNCE,
    values: [...call.values, ...arrays],
  };
}

function plainCall(
  { workspaceId, environment }: WorkspaceScope,
  { id, type, status, message, source, data }: NewDeveloperEvent,
  createdAt: Instant,
): Call<void> {
  const { subscriptionId, customerId } = data;
  const members = JSON.stringify(data).slice(1, -1);
  const customerOf = customerId === undefined && typeof subscriptionId === 'string' ? subscriptionId : null;
  const at = new Date(createdAt).toISOString();
  return {
    name: 'developer_event',
    text: INSERT,
    values: [
      workspaceId,
      environment,
      id ?? newIdentifier('developerEvent'),
      type,
      status,
      message,
      source,
      members === '' ? null : members,
      customerOf,
      at,
    ],
    read: nothing,
  };
}

/** Returns the event recorded at that time; undefined once retention has dropped it. @param createdAt real time */
export async function findDeveloperEvent(
  trx: DbTransaction,
  { workspaceId, environment }: WorkspaceScope,
  id: string,
  createdAt: Instant,
): Promise<DeveloperEventRow | undefined> {
  const { rows } = await trx.raw<{ rows: DeveloperEventRow[] }>(
    `SELECT ${EVENT_COLUMNS} FROM tollgate.developer_events
      WHERE workspace_id = ? AND environment = ? AND created_at = ? AND id = ?`,
    [workspaceId, environment, new Date(createdAt), id],
  );
  return rows[0];
}
