import type { Transaction } from '../db/pools';
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
}

/** The columns of a DeveloperEventRow. */
export const EVENT_COLUMNS = 'id, type, status, message, source, data, created_at AS "createdAt"';

/**
 * Writes one event into the open transaction, so that it is there exactly when the work is.
 *
 * @param createdAt real time, also in a sandbox whose clock was advanced: partitions and retention go by it
 * @returns the event's id
 */
export async function recordDeveloperEvent(
  trx: Transaction,
  scope: WorkspaceScope,
  event: NewDeveloperEvent,
  createdAt: Instant,
): Promise<string> {
  const id = event.id ?? newIdentifier('developerEvent');
  await trx('tollgate.developer_events').insert({
    workspace_id: scope.workspaceId,
    environment: scope.environment,
    id,
    type: event.type,
    status: event.status,
    message: event.message,
    source: event.source,
    data: JSON.stringify(event.data),
    created_at: new Date(createdAt),
  });
  return id;
}
