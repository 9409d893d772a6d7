import { twinIdentifier } from '../identifiers/identifier';

/** A customer is erased once: the id of its erasure follows from its own. */
export function erasureIdOf(customerId: string): string {
  return twinIdentifier('erasure', customerId);
}
