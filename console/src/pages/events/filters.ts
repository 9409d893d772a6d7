import { EVENT_STATUSES, EVENT_TYPES } from '../../../../src/domain/event-types.ts';
import type { DeveloperEvent } from '../../api/resources';
import { wordOf } from '../../app/search-params';

/** Filters of the events, kept in the address. */
export interface EventFilters {
  eventType?: DeveloperEvent['type'];
  status?: DeveloperEvent['status'];
  /** Text in the message or the source, or the event's id. */
  search?: string;
  requestId?: string;
  externalId?: string;
}

/** Reads the filters of an address, ignoring invalid ones. */
export function readEventFilters(search: Record<string, unknown>): EventFilters {
  const eventType = EVENT_TYPES.find((known) => known === search['eventType']);
  const status = EVENT_STATUSES.find((known) => known === search['status']);
  const words = (['search', 'requestId', 'externalId'] as const).flatMap((name) => {
    const word = wordOf(search, name);
    return word === undefined ? [] : [[name, word] as const];
  });
  return { ...(eventType && { eventType }), ...(status && { status }), ...Object.fromEntries(words) };
}

/** Returns whether an event of the stream matches the filters, by the same rules as the API's list. */
export function isWanted(event: DeveloperEvent, filters: EventFilters): boolean {
  const { eventType, status, search, requestId, externalId } = filters;
  const text = `${event.message}\n${event.source}`.toLowerCase();
  return (
    (eventType === undefined || event.type === eventType) &&
    (status === undefined || event.status === status) &&
    (search === undefined || event.id === search || text.includes(search.toLowerCase())) &&
    (requestId === undefined || event.data['requestId'] === requestId) &&
    (externalId === undefined || event.data['externalId'] === externalId)
  );
}
