import { formatMoney } from '../../ui/money';

interface PriceAtProvider {
  result: 'equal' | 'differs' | 'unverifiable';
  provider: { amount: string | null; currency: string | null; interval: string | null } | null;
  words: string | null;
}

/** A provider's price of a plan, and whether it equals ours. */
export function ProviderPrice({ price }: { price: PriceAtProvider | undefined }) {
  if (price === undefined) return null;
  const verdict = { equal: '✓ equal', differs: '✗ differs', unverifiable: '? cannot be compared' };
  return (
    <>
      {price.provider === null ? 'not read' : inWords(price.provider)}, {verdict[price.result]}
      {price.words !== null && `: ${price.words}`}
    </>
  );
}

function inWords({ amount, currency, interval }: NonNullable<PriceAtProvider['provider']>): string {
  if (amount === null || currency === null) return 'not stated';
  const shown = formatMoney({ amount, currency });
  return interval === null ? shown : `${shown} a ${interval}`;
}
