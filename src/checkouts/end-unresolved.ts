import { moneyInWords } from '../domain/plain-words';
import type { PaymentFacts } from '../providers/canonical-event';
import type { CheckoutRow } from './checkout-store';
import { saveCheckout } from './checkout-write-store';
import { endCheckout } from './end-checkout';
import { recordNeedsDecision, offeredInWords, type PaymentContext } from './record-late-payment';

/**
 * Ends a checkout that its customer has gone through at the provider, and of which nothing has come for so long that
 * nothing will by itself: the provider is read for it no more, and an event with status `ERROR` asks for a decision.
 * A webhook about it still has it read.
 *
 * @param row locked
 */
export async function endUnresolved(
  work: PaymentContext,
  row: CheckoutRow,
  payment: PaymentFacts | null,
): Promise<void> {
  const { trx, connection, now, recordedAt } = work;
  const { scope } = connection;
  if (row.status !== 'open') {
    await saveCheckout(trx, scope, row.id, { nextWakeAt: null }, now);
    return;
  }
  await endCheckout(trx, scope, row, { why: 'nothing_began', at: now, recordedAt, source: 'billing' });
  const failure = failureOf(row, payment);
  // Money that is here already is not told of again, should the provider name it once more.
  const told = payment?.status === 'succeeded' ? { completedAt: now } : {};
  await saveCheckout(trx, scope, row.id, { nextWakeAt: null, failure, ...told }, now);
  await recordNeedsDecision(work, row, `${failure} ${FIX}`);
}

const FIX =
  'Look it up at the payment provider: refund what was paid, and cancel the subscription if it began one there.';

function failureOf(row: CheckoutRow, payment: PaymentFacts | null): string {
  const offered = offeredInWords(row);
  return payment?.status === 'succeeded'
    ? `${row.externalId} paid ${moneyInWords(payment)} for ${offered}, and the payment provider does not say what began with it.`
    : `${row.externalId} went through the checkout of ${offered}, and the payment provider does not say whether it was paid.`;
}
