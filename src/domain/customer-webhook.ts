import type { Instant } from './instant';
import { mentions } from './mention';

/** The parts of a stored webhook that can identify its customer. */
export interface ReceivedText {
  /** The body's bytes as text. */
  text: string;
  /** Ids of the records here that it changed. */
  targets: readonly string[];
  receivedAt: Instant;
}

/** Identifiers of a customer. */
export interface KnownAs {
  /** Its id and the ids of everything that belongs to it. */
  ids: readonly string[];
  /** The providers' ids of those records. */
  references: readonly string[];
  /** The customer's names. */
  names: readonly string[];
  /** When its erasure began (real time). */
  requestedAt: Instant;
}

/**
 * Whether a webhook concerns a customer that is being erased: it changed one of the customer's records, or contains one
 * of the customer's ids or provider references. The customer's name counts only if the webhook changed nothing and
 * arrived before the erasure began, because another customer may take the name afterwards.
 */
export function concernsCustomer(webhook: ReceivedText, customer: KnownAs): boolean {
  const { text, targets, receivedAt } = webhook;
  if (targets.some((id) => customer.ids.includes(id))) return true;
  if (mentions(text, [...customer.ids, ...customer.references])) return true;
  return targets.length === 0 && receivedAt <= customer.requestedAt && mentions(text, customer.names);
}
