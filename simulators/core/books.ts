/** A payment that a provider collected. Amounts are minor units, as integers. */
export interface BookedPayment {
  /** What its API names it by when it is refunded. */
  reference: string;
  kind: 'payment' | 'capture';
  /** What its dispute is opened by; null where this simulator knows none of it. */
  disputable: string | null;
  amount: bigint;
  currency: string;
  /** What has gone back of it, or is on its way back. */
  returned: bigint;
  isDisputed: boolean;
}

/** What an account's money did, by the simulator's own records: for tests that compare it with what they were told. */
export interface Books {
  payments: BookedPayment[];
  /** Refunds that did not fail, and what disputes took. Minor units. */
  returned: { amount: bigint; currency: string }[];
  /** What was paid out, in minor units of each currency: all payouts together. */
  paidOut: Record<string, { net: bigint; fees: bigint }>;
}

/** Adds a payout to the sums of its currency. */
export function addPayout(
  sums: Books['paidOut'],
  { currency, net, fees }: { currency: string; net: bigint; fees: bigint },
): void {
  const sum = (sums[currency] ??= { net: 0n, fees: 0n });
  sum.net += net;
  sum.fees += fees;
}
