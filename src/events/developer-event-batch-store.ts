import type { Times } from '../clock/times';
import { plainArray, textArray } from '../db/parameters';
import type { Statement } from '../db/pipeline';
import type { EventStatus, EventType } from '../domain/event-types';
import type { WorkspaceScope } from '../tenancy/actor';

/** A developer event ready to be written; `data` is JSON text. */
export interface PreparedEvent {
  id: string;
  type: EventType;
  status: EventStatus;
  message: string;
  source: string;
  data: string;
}

/**
 * Joins JSON values into one parameter for `string_to_array(…, chr(30))`. JSON text contains no raw control characters,
 * so nothing needs escaping; in an array parameter every quote would.
 */
export function jsonList(values: readonly string[]): string {
  return values.join('\x1e');
}

/**
 * Takes $1 and $2 (the tenant), $3 (the time), $4 … $8 (arrays), $9 (a JSON list) and $10 (workspace time, stored only
 * if it differs).
 */
export const INSERT_DEVELOPER_EVENTS = `
  INSERT INTO tollgate.developer_events (workspace_id, environment, created_at, recorded_at, id, type, status, message,
    source, data)
  SELECT $1, $2, $3, NULLIF($10::timestamptz, $3), e.*
    FROM unnest($4::text[], $5::text[], $6::text[], $7::text[], $8::text[], string_to_array($9::text, chr(30))::json[]) AS e`;

/** Writes the developer events of a batch in one statement, in their order. */
export function insertDeveloperEvents(
  scope: WorkspaceScope,
  events: readonly PreparedEvent[],
  { now, recordedAt }: Times,
): Statement {
  return {
    name: 'developer-events-insert',
    text: INSERT_DEVELOPER_EVENTS,
    values: [
      scope.workspaceId,
      scope.environment,
      new Date(recordedAt).toISOString(),
      plainArray(events.map((event) => event.id)),
      plainArray(events.map((event) => event.type)),
      plainArray(events.map((event) => event.status)),
      textArray(events.map((event) => event.message)),
      textArray(events.map((event) => event.source)),
      jsonList(events.map((event) => event.data)),
      new Date(now).toISOString(),
    ],
  };
}
