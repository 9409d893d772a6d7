import { formatMoney, parseMoney } from '../../ui/money';

/** Returns what is wrong with an amount to refund, given the remaining amount of the payment; null if it is valid. */
export function refundProblem(typed: string, left: { amount: string; currency: string }): string | null {
  const { money, problem } = parseMoney(typed, left.currency);
  if (problem !== null) return problem;
  if (BigInt(money.amount) === 0n) return 'Enter more than nothing.';
  return BigInt(money.amount) > BigInt(left.amount) ? `No more than ${formatMoney(left)} is left.` : null;
}
