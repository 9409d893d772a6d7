import type { RefundFacts } from '../canonical-event';
import type { ConnectionAccess } from '../connection-access';
import { readOutcome, type Fetched } from './client';
import { readCharge, readTransaction } from './fetch-payment';
import { readPages } from './read-pages';
import { refundFacts, runningTotals } from './refund-facts';
import { refund, refundAnswer, type RefundData } from './schemas';

const REFUND_ID = /^\d{1,16}$/;

/** @param id the provider's number of the refund, in digits */
export async function fetchRefund(access: ConnectionAccess, id: string): Promise<Fetched<RefundFacts>> {
  if (!REFUND_ID.test(id)) {
    return { kind: 'declined', code: 'not_found', reason: 'A refund of provider C is named by a number.' };
  }
  const answer = await readOutcome(access, `/refund/${id}`, refundAnswer);
  if (answer.kind !== 'done') return answer;
  const { data } = answer.value;
  if (String(data.id) !== id) {
    return { kind: 'unknown', reason: `Provider C answered with another refund than ${id}.` };
  }
  if (typeof data.transaction !== 'number') return refundFacts(data, data.transaction.reference, null);
  const charge = await readCharge(access, String(data.transaction));
  return charge.kind === 'done' ? refundFacts(data, charge.value.reference, null) : charge;
}

/**
 * Fetches all refunds of a payment, earliest first, each with the payment's running refunded total. A refund event
 * names its payment but no refund, so this is how its refund is found.
 *
 * @param reference the reference that the payment was started under
 */
export async function fetchRefundsOf(
  access: ConnectionAccess,
  reference: string,
): Promise<Fetched<RefundFacts[]>> {
  const refunds = await readRefundsOf(access, reference);
  return refunds.kind === 'done' ? runningTotals(refunds.value, reference) : refunds;
}

/** Fetches the same refunds in the provider's format, including the notes. */
export async function readRefundsOf(
  access: ConnectionAccess,
  reference: string,
): Promise<Fetched<RefundData[]>> {
  const transaction = await readTransaction(access, reference);
  if (transaction.kind !== 'done') return transaction;
  return readRefundsOfTransaction(access, transaction.value.id, reference);
}

/** Fetches the same refunds if the transaction's number is known. */
export async function readRefundsOfTransaction(
  access: ConnectionAccess,
  id: number,
  reference: string,
): Promise<Fetched<RefundData[]>> {
  const found = await readPages(access, '/refund', { transaction: String(id) }, refund);
  if (found.kind !== 'done') return found;
  return {
    kind: 'done',
    value: found.value.filter((each) => isOf(each, id, reference)).sort((a, b) => a.id - b.id),
  };
}

/** The provider may ignore the list's filter; a refund of another payment never counts. */
function isOf({ transaction }: RefundData, id: number, reference: string): boolean {
  return typeof transaction === 'number' ? transaction === id : transaction.reference === reference;
}
