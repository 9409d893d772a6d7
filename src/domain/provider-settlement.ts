import { displayMoney } from './display-text';
import type { SettlementTotals } from './settlement';

/** What a provider settled, in minor units: `net` was paid out after `fees`. */
export interface ProviderTotals {
  currency: string;
  net: bigint;
  fees: bigint;
}

/** A line as the provider names it; `amount` is before fees, and below zero where money went back. */
export interface NamedLine {
  kind: string;
  reference: string;
  amount: bigint;
  fee: bigint;
}

/** A payment or refund here that a line's reference names. */
export interface KnownLine {
  kind: 'payment' | 'refund';
  id: string;
  /** Above zero, also of a refund. */
  amount: bigint;
  currency: string;
  /** The other settlement that counts it. */
  settledBy: string | null;
  /** Of a refund that failed after it was sent: the other settlement that counts the money that came back. */
  returnedBy: string | null;
}

/** Whether a line is the money of a refund, or of a dispute, that has come back: it is no payment, and none is refunded. */
export function isReturn({ amount }: Pick<NamedLine, 'amount'>, found: Pick<KnownLine, 'kind'>): boolean {
  return found.kind === 'refund' && amount > 0n;
}

/** A line with what it is here; null where nothing here is it. */
export type MatchedLine = NamedLine & { targetId: string | null };

/** What a provider's settlement is here. */
export interface MatchedSettlement extends SettlementTotals {
  lines: MatchedLine[];
  /** What of `net` the payments, refunds and fees do not come to: `net = paid − refunded − fees + unmatched`. */
  unmatched: bigint;
  /** The same in words; null where everything is explained. */
  difference: string | null;
}

/** So many of the lines that are not known are named in words; all of them are kept. */
const NAMED_IN_WORDS = 5;

/**
 * Ties the lines of a provider's settlement to the payments and refunds that they name, each once. A line is tied when
 * amount and currency are the same here, so that no sum is ever wrong; what is not tied is the difference. The totals
 * that the provider states are never changed.
 *
 * @param known what a line's reference names here, if anything
 */
export function matchSettlement(
  totals: ProviderTotals,
  named: readonly NamedLine[],
  known: (line: NamedLine) => KnownLine | undefined,
): MatchedSettlement {
  const taken = new Set<string>();
  const doubts: string[] = [];
  let [paid, refunded, untied] = [0n, 0n, 0n];
  const lines = named.map((line): MatchedLine => {
    const { kind, reference, amount, fee } = line;
    const found = known(line);
    const doubt = doubtOf(line, found, totals.currency, taken);
    if (found === undefined || doubt !== null) {
      untied += amount;
      const what = displayMoney({ amount, currency: totals.currency });
      doubts.push(`${kind} ${reference} of ${what} ${doubt ?? ''}`.trimEnd());
      return { kind, reference, amount, fee, targetId: null };
    }
    taken.add(keyOf(line, found));
    if (found.kind === 'payment') paid += found.amount;
    else refunded += isReturn(line, found) ? -found.amount : found.amount;
    return { kind, reference, amount, fee, targetId: found.id };
  });
  const { net, fees, currency } = totals;
  const unmatched = net - (paid - refunded - fees);
  const rest = unmatched - untied;
  const said = [doubtsInWords(doubts), restInWords(rest, currency)].filter((text) => text !== '');
  return {
    paid,
    refunded,
    fees,
    net,
    lines,
    unmatched,
    difference: said.length === 0 ? null : said.join(' '),
  };
}

/** Why a line is not tied; null where it is what it names. */
function doubtOf(
  line: NamedLine,
  found: KnownLine | undefined,
  currency: string,
  taken: ReadonlySet<string>,
): string | null {
  if (found === undefined) return line.kind === 'other' ? 'is no payment or refund' : 'is not known here';
  const isBack = isReturn(line, found);
  const countedBy = isBack ? found.returnedBy : found.settledBy;
  if (countedBy !== null) return `is ${found.id}, which ${countedBy} counts`;
  if (taken.has(keyOf(line, found))) return `is ${found.id} once more`;
  const here = found.kind === 'payment' || isBack ? found.amount : -found.amount;
  if (here === line.amount && found.currency === currency) return null;
  return `is ${found.id}, which is ${displayMoney({ amount: here, currency: found.currency })} here`;
}

/** A refund may go out and come back in one settlement. */
function keyOf(line: NamedLine, found: KnownLine): string {
  return isReturn(line, found) ? `${found.id} returned` : found.id;
}

function doubtsInWords(doubts: readonly string[]): string {
  if (doubts.length === 0) return '';
  const more = doubts.length - NAMED_IN_WORDS;
  const shown = doubts.slice(0, NAMED_IN_WORDS).join('; ');
  return `Not counted: ${shown}${more > 0 ? `; and ${more} more` : ''}.`;
}

function restInWords(rest: bigint, currency: string): string {
  if (rest === 0n) return '';
  return `${displayMoney({ amount: rest, currency })} of the payout is not explained by its lines.`;
}
