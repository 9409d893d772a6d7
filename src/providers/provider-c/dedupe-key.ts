import { createHash } from 'node:crypto';
import type { CanonicalEvent } from '../canonical-event';

/**
 * Provider C's events have no ids. A key is a hash over the event's name, what it names, and the state it tells of
 * that, so that a repeated delivery has the same key, and the next state another.
 */
export function dedupeKey(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/**
 * Whether the event alone says which occurrence it is. It does not
 * - for a refund without an id: two equal partial refunds of one payment send the same bytes;
 * - for a subscription's state: cancelled, enabled and cancelled again within a period sends the same bytes twice.
 * There the key is completed with the state that the provider has now (`withStateNow`).
 */
export function isKeyComplete(event: CanonicalEvent): boolean {
  if (event.type === 'refund.changed')
    return event.refund?.reference !== undefined && event.refund.reference !== null;
  return event.type !== 'subscription.changed' && event.type !== 'subscription.not_renewing';
}

/**
 * The key of an event together with the provider's state of what it names. A repeated delivery finds the same state,
 * unless something changed since, and is then worth applying: events are hints, and what is applied is the state.
 */
export function withStateNow(event: CanonicalEvent, state: unknown): string {
  return dedupeKey([event.dedupeKey, state]);
}
