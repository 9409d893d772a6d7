import type { DeveloperEvent } from '../../api/resources';
import { wordOf } from '../../app/search-params';

export const EVENT_TYPES = [
  'USAGE_CHECKED',
  'USAGE_TRACKED',
  'USAGE_REVERSED',
  'ENTITLEMENT_DENIED',
  'USAGE_THRESHOLD_REACHED',
  'CREDITS_LOW',
  'CHECKOUT_CREATED',
  'SUBSCRIPTION_CREATED',
  'SUBSCRIPTION_CHANGED',
  'WEBHOOK_PROCESSED',
  'PAYMENT_RECORDED',
  'REFUND_RECORDED',
  'SETTLEMENT_RECORDED',
  'CREDENTIALS_CHANGED',
  'PLAN_PRICE_COMPARED',
  'WEBHOOK_ENDPOINT_DISABLED',
] as const satisfies DeveloperEvent['type'][];
export const EVENT_STATUSES = [
  'OK',
  'DENIED',
  'PENDING',
  'ERROR',
] as const satisfies DeveloperEvent['status'][];

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
