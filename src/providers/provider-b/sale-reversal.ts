import type { RefundFacts } from '../canonical-event';

const PREFIX = 'reversal-of-';

/** Whether a refund's name is one that a reversal has here; provider B knows nothing by it. */
export function isReversal(reference: string): boolean {
  return reference.startsWith(PREFIX);
}

/**
 * A payment of a subscription that was taken back, where B tells of it by the sale itself with a negative amount. Such
 * a reversal has no name at B, and one of a payment is enough: it is named after its sale.
 *
 * @param taken what went back, without its sign
 */
export function reversalFacts(sale: string, taken: Pick<RefundFacts, 'amount' | 'currency'>): RefundFacts {
  return {
    reference: `${PREFIX}${sale}`,
    of: { kind: 'payment', reference: sale },
    ...taken,
    status: 'succeeded',
    totalRefunded: null,
  };
}
