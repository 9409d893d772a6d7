/** A payment that a provider collected. Amounts are minor units, as integers. */
export interface BookedPayment {
  /** The reference that the API uses to refund it. */
  reference: string;
  kind: 'payment' | 'capture';
  /** The reference used to open a dispute; null if this simulator does not support disputes of it. */
  disputable: string | null;
  amount: bigint;
  currency: string;
  /** Amount that was refunded, or is being refunded. */
  returned: bigint;
  isDisputed: boolean;
}

/** An account's money movements by the simulator's own records, for tests that compare them with what was reported. */
export interface Books {
  payments: BookedPayment[];
  /** Refunds that did not fail, and amounts taken by disputes. Minor units. */
  returned: { amount: bigint; currency: string }[];
  /** The state of each dispute; one that took nothing, because everything had been refunded, is `won`. */
  disputes: ('open' | 'won' | 'lost')[];
  /** Sum of all payouts, in minor units of each currency. */
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
