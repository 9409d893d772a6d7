import type { RefundFacts } from '../canonical-event';
import type { ConnectionAccess } from '../connection-access';
import { minorUnits } from './amounts';
import { read, type Fetched } from './client';
import { refundStatus } from './facts';
import { readCharge, readTransaction } from './read-payment';
import { refundAnswer, refundsAnswer, type RefundData } from './schemas';

const REFUND_ID = /^\d{1,16}$/;
const PAGE_SIZE = 100;
/** More refunds of one payment than this are no refunds of a payment. */
const MAX_PAGES = 20;

/** @param id the provider's number of the refund, in digits */
export async function fetchRefund(access: ConnectionAccess, id: string): Promise<Fetched<RefundFacts>> {
  if (!REFUND_ID.test(id)) {
    return { kind: 'declined', code: 'not_found', reason: 'A refund of provider C is named by a number.' };
  }
  const answer = await read(access, `/refund/${id}`, refundAnswer);
  if (answer.kind !== 'done') return answer;
  const { data } = answer.value;
  if (String(data.id) !== id) {
    return { kind: 'unknown', reason: `Provider C answered with another refund than ${id}.` };
  }
  if (typeof data.transaction !== 'number') return factsOf(data, data.transaction.reference, null);
  const charge = await readCharge(access, String(data.transaction));
  return charge.kind === 'done' ? factsOf(data, charge.value.reference, null) : charge;
}

/**
 * All refunds of a payment, the earliest first, each with the payment's running total of what went back. A refund's
 * event names its payment and no refund, so this is how the refund that it tells of is found.
 *
 * @param reference the one that the payment was started under
 */
export async function fetchRefundsOf(
  access: ConnectionAccess,
  reference: string,
): Promise<Fetched<RefundFacts[]>> {
  const transaction = await readTransaction(access, reference);
  if (transaction.kind !== 'done') return transaction;
  const found: RefundData[] = [];
  for (let page = 1, pages = 1; page <= Math.min(pages, MAX_PAGES); page += 1) {
    const query = `transaction=${transaction.value.id}&perPage=${PAGE_SIZE}&page=${page}`;
    const answer = await read(access, `/refund?${query}`, refundsAnswer);
    if (answer.kind !== 'done') return answer;
    found.push(...answer.value.data);
    pages = answer.value.meta?.pageCount ?? 1;
  }
  return runningTotals(
    found.filter((refund) => isOf(refund, transaction.value.id, reference)).sort((a, b) => a.id - b.id),
    reference,
  );
}

/** The list's filter is the provider's to honour; a refund of another payment never counts here. */
function isOf(refund: RefundData, id: number, reference: string): boolean {
  return typeof refund.transaction === 'number'
    ? refund.transaction === id
    : refund.transaction.reference === reference;
}

function runningTotals(refunds: readonly RefundData[], reference: string): Fetched<RefundFacts[]> {
  const facts: RefundFacts[] = [];
  let total = 0n;
  for (const refund of refunds) {
    const read = factsOf(refund, reference, total);
    if (read.kind !== 'done') return read;
    total = read.value.totalRefunded ?? total;
    facts.push(read.value);
  }
  return { kind: 'done', value: facts };
}

function factsOf(data: RefundData, reference: string, totalBefore: bigint | null): Fetched<RefundFacts> {
  const status = refundStatus(data.status);
  const amount = minorUnits(data.amount, data.currency);
  if (status === undefined || amount === null) {
    const what = `${data.status}, ${data.amount} ${data.currency}`;
    return { kind: 'unknown', reason: `Provider C tells of a refund that cannot be read: ${what}.` };
  }
  const total = totalBefore === null ? null : totalBefore + (status === 'succeeded' ? amount : 0n);
  return {
    kind: 'done',
    value: {
      reference: String(data.id),
      of: { kind: 'payment', reference },
      amount,
      currency: data.currency,
      status,
      totalRefunded: total,
    },
  };
}
