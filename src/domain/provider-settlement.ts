import { displayMoney } from './display-text';
import type { SettlementTotals } from './settlement';

/** Totals of a provider's settlement, in minor units: `net` was paid out after `fees`. */
export interface ProviderTotals {
  currency: string;
  net: bigint;
  fees: bigint;
}

/** A line as the provider reports it; `amount` is before fees, and negative if money went back. */
export interface NamedLine {
  kind: string;
  reference: string;
  amount: bigint;
  fee: bigint;
}

/** A payment or refund here that a line's reference identifies. */
export interface KnownLine {
  kind: 'payment' | 'refund';
  id: string;
  /** Positive, also for a refund. */
  amount: bigint;
  currency: string;
  /** The other settlement that counts it. */
  settledBy: string | null;
  /** For a refund that failed after it was sent: the other settlement that counts the returned money. */
  returnedBy: string | null;
}

/** Whether a line is the returned money of a refund or dispute: it is neither a payment nor a refund. */
export function isReturn({ amount }: Pick<NamedLine, 'amount'>, found: Pick<KnownLine, 'kind'>): boolean {
  return found.kind === 'refund' && amount > 0n;
}

/** A line with the id of its payment or refund here; null if there is none. */
export type MatchedLine = NamedLine & { targetId: string | null };

/** A provider's settlement matched with the records here. */
export interface MatchedSettlement extends SettlementTotals {
  lines: MatchedLine[];
  /** Part of `net` that payments, refunds and fees do not explain: `net = paid − refunded − fees + unmatched`. */
  unmatched: bigint;
  /** `unmatched` in words; null if everything is explained. */
  difference: string | null;
}

/** Number of unmatched lines that are named in words; all of them are stored. */
const NAMED_IN_WORDS = 5;

/**
 * Matches the lines of a provider's settlement with the payments and refunds that they reference, each once. A line
 * matches if amount and currency are the same here, so that no sum is ever wrong; unmatched lines make up the
 * difference. The totals that the provider states are never changed.
 *
 * @param known what a line's reference identifies here, if anything
 */
export function matchSettlement(
  totals: ProviderTotals,
  named: readonly NamedLine[],
  known: (line: NamedLine) => KnownLine | undefined,
): MatchedSettlement {
  const taken = new Set<string>();
  const doubts: string[] = [];
  let [paid, refunded, unlinked] = [0n, 0n, 0n];
  const lines = named.map((line): MatchedLine => {
    const { kind, reference, amount, fee } = line;
    const found = known(line);
    const doubt = doubtOf(line, found, totals.currency, taken);
    if (found === undefined || doubt !== null) {
      unlinked += amount;
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
  const rest = unmatched - unlinked;
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

/** Why a line identifies nothing, by its kind. Only a dispute that was lost has a refund. */
const NOT_FOUND: ReadonlyMap<string, string> = new Map([
  ['other', 'is no payment or refund'],
  ['dispute', 'has no refund here'],
]);

/** Returns why a line does not match; null if it matches. */
function doubtOf(
  line: NamedLine,
  found: KnownLine | undefined,
  currency: string,
  taken: ReadonlySet<string>,
): string | null {
  if (found === undefined) return NOT_FOUND.get(line.kind) ?? 'is not known here';
  const isBack = isReturn(line, found);
  const countedBy = isBack ? found.returnedBy : found.settledBy;
  if (countedBy !== null) return `is ${found.id}, which ${countedBy} counts`;
  if (taken.has(keyOf(line, found))) return `is ${found.id} once more`;
  const here = found.kind === 'payment' || isBack ? found.amount : -found.amount;
  if (here === line.amount && found.currency === currency) return null;
  return `is ${found.id}, which is ${displayMoney({ amount: here, currency: found.currency })} here`;
}

/** A refund may go out and come back in the same settlement. */
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
