import type { RefundFacts } from '../canonical-event';
import type { ConnectionAccess } from '../connection-access';
import type { Outcome } from '../outcome';
import type { ProviderReference, RefundRequest } from '../provider-operations';
import { providerAmount } from './amounts';
import { writeOutcome, type Fetched } from './client';
import { readCharge } from './fetch-payment';
import { readRefundsOf } from './fetch-refund';
import { refundFacts } from './refund-facts';
import { notAsked, refused } from './refusal';
import { refundAnswer, type RefundData } from './schemas';

const UNKNOWN_PAYMENT = 'The payment provider does not have this payment.';

/**
 * Refunds a payment. The provider takes no idempotency keys for this: two equal requests are two refunds. So our id is
 * written on each (`merchant_note`), and before a second attempt the payment's refunds are searched for it. `pending`
 * until the bank has paid it out; a new refund is always pending.
 *
 * The webhooks of a refund name its payment and not the refund; the id in `reference` is the one that `fetchRefundsOf`
 * returns.
 */
export async function refundPayment(
  access: ConnectionAccess,
  request: RefundRequest,
): Promise<Outcome<RefundFacts>> {
  const { payment, currency, refundId } = request;
  if (payment.kind !== 'payment' && payment.kind !== 'checkout' && payment.kind !== 'charge') {
    return {
      kind: 'unsupported',
      reason: `Provider C refunds nothing by a reference of the kind ${payment.kind}.`,
    };
  }
  const amount = providerAmount(request.amount, currency);
  if (amount === null || amount === 0) {
    const reason = 'This payment provider cannot refund this amount in this currency.';
    return { kind: 'declined', code: 'amount_not_possible', reason };
  }
  const transaction = await referenceOf(access, payment);
  if (transaction.kind !== 'done') return notAsked(request, transaction, UNKNOWN_PAYMENT);
  const reference = transaction.value;
  const earlier = await earlierRefund(access, reference, request);
  if (earlier !== undefined) return earlier;
  const body = { transaction: reference, amount, currency, merchant_note: refundId };
  const answer = await writeOutcome(access, '/refund', body, refundAnswer);
  if (answer.kind === 'unknown') return answer;
  if (answer.kind === 'declined') {
    // The earlier request may have succeeded in the meantime and left nothing for this one.
    const late = await earlierRefund(access, reference, request);
    return late ?? refused(answer, 'The payment provider refused the refund.');
  }
  const { data } = answer.value;
  if (typeof data.transaction !== 'number' && data.transaction.reference !== reference) {
    return {
      kind: 'unknown',
      reason: `Provider C answered with a refund of another payment than ${reference}.`,
    };
  }
  return outcomeOf(data, reference);
}

/** Returns the outcome of an earlier request; undefined if there was none, or if it created nothing. */
async function earlierRefund(
  access: ConnectionAccess,
  reference: string,
  request: RefundRequest,
): Promise<Outcome<RefundFacts> | undefined> {
  if (!request.repeated) return undefined;
  const refunds = await readRefundsOf(access, reference);
  if (refunds.kind !== 'done') return notAsked(request, refunds, UNKNOWN_PAYMENT);
  const found = refunds.value.find(({ merchant_note: note }) => note === request.refundId);
  return found && outcomeOf(found, reference);
}

async function referenceOf(
  access: ConnectionAccess,
  { kind, reference }: ProviderReference,
): Promise<Fetched<string>> {
  if (kind !== 'charge') return { kind: 'done', value: reference };
  const charge = await readCharge(access, reference);
  return charge.kind === 'done' ? { kind: 'done', value: charge.value.reference } : charge;
}

function outcomeOf(data: RefundData, reference: string): Outcome<RefundFacts> {
  const facts = refundFacts(data, reference, null);
  if (facts.kind !== 'done' || facts.value.status === 'succeeded') return facts;
  if (facts.value.status === 'pending') return { kind: 'pending', value: facts.value };
  const reason = 'The refund did not reach the customer, and the money is back with the merchant.';
  return { kind: 'declined', code: 'refund_failed', reason };
}
