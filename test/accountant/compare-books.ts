import type { TestDatabase } from '../support/database';
import type { Books } from '../../simulators/core/books';
import type { PaymentProvider } from '../../src/domain/provider';

/** What was collected, returned and paid out, in a comparable form: amounts in minor units as text. */
export interface Money {
  payments: string[];
  returned: string[];
  /** The state of each dispute. */
  disputes: string[];
  /** By currency, from the payouts of A and C and from B's report. */
  paidOut: Record<string, { net: string; fees: string; unmatched: string }>;
}

/** Returns the money as the provider has it. `unmatched` is 0, because nothing may be unmatched here. */
export function moneyThere({ payments, returned, disputes, paidOut }: Books): Money {
  const sums = Object.entries(paidOut).map(([currency, { net, fees }]) => [
    currency,
    { net: net.toString(), fees: fees.toString(), unmatched: '0' },
  ]);
  return {
    payments: payments.map(inWords).sort(),
    returned: returned.map(inWords).sort(),
    disputes: [...disputes].sort(),
    paidOut: Object.fromEntries(sums) as Money['paidOut'],
  };
}

/** Returns the money as the service has it. */
export async function moneyHere(
  { query }: Pick<TestDatabase, 'query'>,
  provider: PaymentProvider,
): Promise<Money> {
  const payments = await query<{ amount: string; currency: string }>(
    "SELECT amount, currency FROM tollgate.payments WHERE provider = $1 AND status = 'succeeded'",
    [provider],
  );
  const returned = await query<{ amount: string; currency: string }>(
    `SELECT r.amount, r.currency FROM tollgate.refunds r JOIN tollgate.payments p ON p.id = r.payment_id
      WHERE p.provider = $1 AND r.status <> 'failed'`,
    [provider],
  );
  const disputes = await query<{ status: string }>(
    `SELECT d.status FROM tollgate.disputes d JOIN tollgate.provider_connections c ON c.id = d.connection_id
      WHERE c.provider = $1`,
    [provider],
  );
  const paidOut = await query<{ currency: string; net: string; fees: string; unmatched: string }>(
    `SELECT currency, sum(net)::text AS net, sum(fees)::text AS fees, sum(unmatched)::text AS unmatched
       FROM tollgate.settlements WHERE provider = $1 AND status = 'settled' GROUP BY currency`,
    [provider],
  );
  return {
    payments: payments.map(inWords).sort(),
    returned: returned.map(inWords).sort(),
    disputes: disputes.map(({ status }) => status).sort(),
    paidOut: Object.fromEntries(paidOut.map(({ currency, ...sums }) => [currency, sums])),
  };
}

/** Describes the differences; returns an empty list if there are none. */
export function differencesOf(provider: PaymentProvider, here: Money, there: Money): string[] {
  const missing = (of: string[], from: string[]): string[] => {
    const left = [...from];
    return of.filter((one) => {
      const place = left.indexOf(one);
      if (place !== -1) left.splice(place, 1);
      return place === -1;
    });
  };
  const lists = (['payments', 'returned', 'disputes'] as const).flatMap((list) => [
    ...missing(there[list], here[list]).map((one) => `${provider}: ${list} of ${one} is missing here`),
    ...missing(here[list], there[list]).map((one) => `${provider}: ${list} of ${one} is not there`),
  ]);
  const currencies = new Set([...Object.keys(here.paidOut), ...Object.keys(there.paidOut)]);
  const payouts = [...currencies].flatMap((currency) => {
    const [ours, theirs] = [here, there].map(({ paidOut }) => JSON.stringify(paidOut[currency]));
    return ours === theirs
      ? []
      : [`${provider}: paid out ${ours ?? 'nothing'} here, ${theirs ?? 'nothing'} there`];
  });
  return [...lists, ...payouts];
}

function inWords({ amount, currency }: { amount: bigint | string; currency: string }): string {
  return `${amount.toString()} ${currency}`;
}
