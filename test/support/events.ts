import type { EventStatus, EventType } from '../../src/domain/event-types';
import { newIdentifier } from '../../src/identifiers/identifier';
import type { WorkspaceScope } from '../../src/tenancy/actor';
import type { TestDatabase } from './database';

export interface EventSeed {
  type?: EventType;
  status?: EventStatus;
  message?: string;
  source?: string;
  data?: object;
  createdAt?: number;
}

/** Inserts developer events by SQL as the superuser, in one transaction. Returns their ids in the given order. */
export async function seedEvents(
  database: TestDatabase,
  scope: WorkspaceScope,
  events: readonly EventSeed[],
): Promise<string[]> {
  const ids = events.map(() => newIdentifier('developerEvent'));
  const now = Date.now();
  await database.query(
    `INSERT INTO tollgate.developer_events (workspace_id, environment, id, type, status, message, source, data, created_at)
     SELECT $1, $2, e.* FROM unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::json[], $9::timestamptz[]) AS e`,
    [
      scope.workspaceId,
      scope.environment,
      ids,
      events.map((event) => event.type ?? 'USAGE_TRACKED'),
      events.map((event) => event.status ?? 'OK'),
      events.map((event) => event.message ?? 'Something happened.'),
      events.map((event) => event.source ?? 'api'),
      events.map((event) => JSON.stringify(event.data ?? {})),
      events.map((event, index) => new Date(event.createdAt ?? now - 60_000 + index).toISOString()),
    ],
  );
  return ids;
}

/** Returns the ids in a list response. */
export function idsOf(body: Record<string, unknown>): string[] {
  return (body['data'] as { id: string }[]).map((event) => event.id);
}
