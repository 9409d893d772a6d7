import { DAY_MS, type Instant } from '../../domain/instant';
import type { SettlementFacts, SettlementLineFacts } from '../canonical-event';

/** A line of the transactions report. Signed, in our minor units: money that leaves the account is negative. */
export interface ReportLine {
  /** B's reference of the transaction; for a capture, a sale or a refund, the one that webhooks carry. */
  id: string;
  at: Instant;
  /** For example `T0006`: the two-digit group says what kind it is. */
  eventCode: string;
  status: string | null;
  amount: bigint;
  fee: bigint;
  currency: string;
}

/** Payments, fees, reversals and adjustments. Other groups move the merchant's own money: conversions, banks, holds. */
const PAYMENTS = 'T00';
const FEES = 'T01';
const REVERSALS = 'T11';
const GROUPS: ReadonlySet<string> = new Set([PAYMENTS, FEES, REVERSALS, 'T12']);
/**
 * Reversals of what the other groups move, and of what the merchant paid out: a bank's withdrawal, a debit card, a
 * bank's deposit, a hold that is released, and payouts that came back. What they reverse was not counted.
 */
const OWN_MONEY_CODES: ReadonlySet<string> = new Set(['T1101', 'T1102', 'T1104', 'T1105', 'T1114', 'T1115']);
/** Payments of subscriptions, which are sales; all other payments are captures. */
const SUBSCRIPTION_PAYMENT_CODES: ReadonlySet<string> = new Set(['T0002', 'T0003']);
/** Pending and denied. A reversed payment counts, and so does its reversal. */
const NOT_MOVED: ReadonlySet<string> = new Set(['P', 'D']);

/**
 * Returns one settlement for each currency and day (UTC) with transactions, in order of days. `amount` is what the
 * account received less all fees; refunds can make it negative. A separate fee is not a line but part of the fees.
 *
 * @param account B's number of the account; null if the report does not state it
 */
export function settlementsByDay(lines: readonly ReportLine[], account: string | null): SettlementFacts[] {
  const days = new Map<string, SettlementFacts>();
  for (const line of lines.filter(counts)) {
    const periodStart = line.at - (line.at % DAY_MS);
    const day = new Date(periodStart).toISOString().slice(0, 10);
    const reference = `report-${day}-${line.currency}`;
    const before = days.get(reference);
    const isFee = line.eventCode.startsWith(FEES);
    const fees = -line.fee - (isFee ? line.amount : 0n);
    days.set(reference, {
      reference,
      accountReference: account === null ? null : `${reference}-${account}`,
      currency: line.currency,
      amount: (before?.amount ?? 0n) + line.amount + line.fee,
      fees: (before?.fees ?? 0n) + fees,
      periodStart,
      periodEnd: periodStart + DAY_MS,
      status: 'paid',
      lines: [...(before?.lines ?? []), ...(isFee ? [] : [lineFacts(line)])],
    });
  }
  return [...days.values()].sort((a, b) => (a.reference < b.reference ? -1 : 1));
}

function lineFacts({ id, eventCode, amount, fee }: ReportLine): SettlementLineFacts {
  return { kind: kindOf(eventCode), reference: id, amount, fee: -fee };
}

function kindOf(eventCode: string): SettlementLineFacts['kind'] {
  if (eventCode.startsWith(REVERSALS)) return 'refund';
  if (!eventCode.startsWith(PAYMENTS)) return 'other';
  return SUBSCRIPTION_PAYMENT_CODES.has(eventCode) ? 'payment' : 'capture';
}

/** Returns whether lines with this event code belong to a settlement. */
export function isSettled(eventCode: string): boolean {
  return GROUPS.has(eventCode.slice(0, 3)) && !OWN_MONEY_CODES.has(eventCode);
}

function counts({ eventCode, status, amount }: ReportLine): boolean {
  const group = eventCode.slice(0, 3);
  if (!isSettled(eventCode) || (status !== null && NOT_MOVED.has(status))) return false;
  // A payment made by the merchant is not a customer's.
  return group !== PAYMENTS || amount > 0n;
}
