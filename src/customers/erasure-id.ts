import { twinIdentifier } from '../identifiers/identifier';

/** A customer is erased only once, so the id of its erasure is derived from the customer's id. */
export function erasureIdOf(customerId: string): string {
  return twinIdentifier('erasure', customerId);
}
