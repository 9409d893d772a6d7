import type Stripe from 'stripe';
import type { z } from 'zod';
import type { SettlementFacts, SettlementLineFacts } from '../canonical-event';
import { readPages } from './read-pages';
import { readMoney } from './amounts';
import { balanceTransactionWire, payoutWire } from './schemas';

type Payout = z.output<typeof payoutWire>;
type BalanceLine = z.output<typeof balanceTransactionWire>;

/** Types of the line by which a payout's money comes back into the account. */
const RETURNED_PAYOUT: ReadonlySet<string> = new Set(['payout_failure', 'payout_cancel']);

/**
 * Translates a payout into the service's terms, with the fees and the period of its balance transactions. Undefined if
 * we do not support its currency.
 *
 * For a payout that the merchant made manually, the provider does not list its contents: it has no lines and no fees.
 */
export async function settlementOf(client: Stripe, payout: Payout): Promise<SettlementFacts | undefined> {
  const brought = payout.automatic === false ? [] : await balanceLines(client, payout.id);
  const money = readMoney(payout.amount, payout.currency);
  const contents = await withReturnedPayouts(client, brought);
  const lines = contents.map((line) => lineFacts(line, payout.currency));
  if (money === undefined || !lines.every((line) => line !== undefined)) return undefined;
  const times = brought.flatMap(({ created }) => (created === null ? [] : [created]));
  return {
    reference: payout.id,
    ...money,
    fees: lines.reduce((sum, { fee }) => sum + fee, 0n),
    periodStart: times.length === 0 ? null : Math.min(...times),
    periodEnd: times.length === 0 ? null : Math.max(...times),
    status: statusOf(payout),
    ...(payout.automatic !== false && { lines }),
  };
}

/** Returns all lines except the payout's own: its withdrawal, and its return if the bank has sent it back. */
async function balanceLines(client: Stripe, payout: string): Promise<BalanceLine[]> {
  const lines = await readPages(
    (paging) => client.balanceTransactions.list({ payout, ...paging }),
    balanceTransactionWire,
  );
  return lines.filter(({ type, source }) => type !== 'payout' && source !== payout);
}

/**
 * Replaces the money of an earlier payout, which the bank returned, by the lines of that payout: the provider pays it
 * out again in one line, and does not list its payments and refunds a second time.
 */
async function withReturnedPayouts(client: Stripe, lines: readonly BalanceLine[]): Promise<BalanceLine[]> {
  const contents: BalanceLine[] = [];
  for (const line of lines) contents.push(...((await linesOfReturned(client, line)) ?? [line]));
  return contents;
}

/** Undefined if the line is no returned payout, or if the provider does not list all that the payout contained. */
async function linesOfReturned(
  client: Stripe,
  { type, source, amount, fee }: BalanceLine,
): Promise<BalanceLine[] | undefined> {
  if (source === null || !RETURNED_PAYOUT.has(type)) return undefined;
  const { automatic } = payoutWire.parse(await client.payouts.retrieve(source));
  if (automatic === false) return undefined;
  const lines = await balanceLines(client, source);
  const net = lines.reduce((sum, line) => sum + line.amount - line.fee, 0);
  return net === amount - fee ? withReturnedPayouts(client, lines) : undefined;
}

function lineFacts(line: BalanceLine, currency: string): SettlementLineFacts | undefined {
  const amount = readMoney(line.amount, currency);
  const fee = readMoney(line.fee, currency);
  if (amount === undefined || fee === undefined) return undefined;
  return { ...nameOf(line), amount: amount.amount, fee: fee.amount };
}

/** Returns the object of a line. A dispute is an adjustment; some payments are charges with another prefix. */
function nameOf({ id, source, type }: BalanceLine): Pick<SettlementLineFacts, 'kind' | 'reference'> {
  if (source === null) return { kind: 'other', reference: id };
  switch (type) {
    case 'charge':
    case 'payment':
      return { kind: 'charge', reference: source };
    case 'refund':
    case 'payment_refund':
    case 'refund_failure':
    case 'payment_failure_refund':
      return { kind: 'refund', reference: source };
    default:
      return /^(?:dp|du)_/.test(source)
        ? { kind: 'dispute', reference: source }
        : { kind: 'other', reference: id };
  }
}

/** Returns whether the payout's contents or its arrival are not known yet. */
export function isOpen(payout: Payout): boolean {
  return statusOf(payout) === 'pending';
}

/** Returns whether its lines are still incomplete; `payout.reconciliation_completed` reports when they are complete. */
function isReconciling(payout: Payout): boolean {
  return payout.reconciliation_status === 'in_progress';
}

function statusOf(payout: Payout): NonNullable<SettlementFacts['status']> {
  const { status } = payout;
  if (status === 'paid') return isReconciling(payout) ? 'pending' : 'paid';
  return status === 'failed' || status === 'canceled' ? 'failed' : 'pending';
}
