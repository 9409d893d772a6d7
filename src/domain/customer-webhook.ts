import type { Instant } from './instant';
import { mentions } from './mention';

/** A stored webhook, as far as it tells whom it is about. */
export interface ReceivedText {
  /** Its bytes as text. */
  text: string;
  /** The ids of what it has changed here. */
  targets: readonly string[];
  receivedAt: Instant;
}

/** By what a customer is known. */
export interface KnownAs {
  /** Its id, and those of all that belongs to it. */
  ids: readonly string[];
  /** The providers' names of these. */
  references: readonly string[];
  /** What it was called. */
  names: readonly string[];
  /** When its erasure began (real time). */
  requestedAt: Instant;
}

/**
 * Whether a webhook is about a customer that is being erased: it has changed something of it, or has an id or a
 * provider's reference of it. Its name alone tells only where nothing was changed, and from before: afterwards another
 * customer may have the name.
 */
export function concernsCustomer(webhook: ReceivedText, customer: KnownAs): boolean {
  const { text, targets, receivedAt } = webhook;
  if (targets.some((id) => customer.ids.includes(id))) return true;
  if (mentions(text, [...customer.ids, ...customer.references])) return true;
  return targets.length === 0 && receivedAt <= customer.requestedAt && mentions(text, customer.names);
}
