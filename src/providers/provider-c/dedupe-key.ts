import { createHash } from 'node:crypto';
import type { CanonicalEvent } from '../canonical-event';

/**
 * Computes the deduplication key, because provider C's events have no ids. The key is a hash of the event's name, the
 * object it names and the reported state. A repeated delivery has the same key, and the next state has another.
 */
export function dedupeKey(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/**
 * Returns whether the event alone identifies one occurrence. It does not
 * - for a refund without an id: two equal partial refunds of one payment send the same bytes;
 * - for a subscription's state: cancelled, enabled and cancelled again within a period sends the same bytes twice.
 * In these cases the key is completed with the provider's current state (`withStateNow`).
 */
export function isKeyComplete(event: CanonicalEvent): boolean {
  if (event.type === 'refund.changed')
    return event.refund?.reference !== undefined && event.refund.reference !== null;
  return event.type !== 'subscription.changed' && event.type !== 'subscription.not_renewing';
}

/**
 * Combines the key of an event with the provider's state of the object it names. A repeated delivery finds the same
 * state, unless something changed since, and is then worth applying: events are hints, and the state is what gets
 * applied.
 */
export function withStateNow(event: CanonicalEvent, state: unknown): string {
  return dedupeKey([event.dedupeKey, state]);
}
