import type { Instant } from '../../domain/instant';
import type { RefundFacts } from '../canonical-event';

const PREFIX = 'reversal-of-';

/** Whether a refund's reference was made here for a reversal; provider B has no object of that name. */
export function isReversal(reference: string): boolean {
  return reference.startsWith(PREFIX);
}

/**
 * A payment of a subscription that was taken back, where B tells of it by the sale itself with a negative amount. Such
 * a reversal has no name at B: it is named after its sale, and where the sale says when it was changed, after that time
 * and the amount, because a payment may be taken back in parts.
 *
 * @param taken what went back, without its sign
 */
export function reversalFacts(
  sale: string,
  taken: Pick<RefundFacts, 'amount' | 'currency'>,
  at: Instant | null,
): RefundFacts {
  const part = at === null ? '' : `-${taken.amount}-${Math.floor(at / 1000)}`;
  return {
    reference: `${PREFIX}${sale}${part}`,
    isUnnamed: true,
    of: { kind: 'payment', reference: sale },
    ...taken,
    status: 'succeeded',
    totalRefunded: null,
  };
}
