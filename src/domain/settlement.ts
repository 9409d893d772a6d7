/** Totals of the payments and refunds in one currency; minor units. `net` may be negative. */
export interface SettlementTotals {
  paid: bigint;
  refunded: bigint;
  fees: bigint;
  net: bigint;
}

/** Returns the totals of a settlement's lines. */
export function settlementTotals(lines: {
  payments: readonly bigint[];
  refunds: readonly bigint[];
  fees: bigint;
}): SettlementTotals {
  const { fees } = lines;
  const paid = sum(lines.payments);
  const refunded = sum(lines.refunds);
  return { paid, refunded, fees, net: paid - refunded - fees };
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n);
}
