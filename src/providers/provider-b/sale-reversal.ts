import type { Instant } from '../../domain/instant';
import type { RefundFacts } from '../canonical-event';

const PREFIX = 'reversal-of-';

/** Returns whether a refund's reference was generated here for a reversal; provider B has no such object. */
export function isReversal(reference: string): boolean {
  return reference.startsWith(PREFIX);
}

/**
 * Translates a reversed subscription payment that B reports as the sale itself with a negative amount. Such a reversal
 * has no reference at B, so it is named after its sale. If the sale states when it was changed, that time and the
 * amount are added, because a payment may be reversed in parts.
 *
 * @param taken the reversed amount, without its sign
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
