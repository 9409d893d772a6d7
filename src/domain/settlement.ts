/** Totals of the payments and refunds in one currency; minor units. `net` may be negative. */
export interface SettlementTotals {
  paid: bigint;
  refunded: bigint;
  fees: bigint;
  net: bigint;
}

/** Returns the totals of a settlement's payments and refunds. */
export function settlementTotals(
  lines: readonly { kind: string; amount: bigint }[],
  fees: bigint,
): SettlementTotals {
  const sumOf = (kind: 'payment' | 'refund'): bigint =>
    lines.reduce((sum, line) => (line.kind === kind ? sum + line.amount : sum), 0n);
  const [paid, refunded] = [sumOf('payment'), sumOf('refund')];
  return { paid, refunded, fees, net: paid - refunded - fees };
}
