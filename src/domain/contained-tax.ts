/** Minor units as text, as in the API. */
interface Amount {
  amount: string;
}

/**
 * Returns how the tax of a total relates to the amounts that it is shown with, so that their sum is the total: it is
 * `contained` in them, or `added`; `none` if there is no tax.
 */
export function taxIn(
  amounts: readonly Amount[],
  tax: Amount,
  total: Amount,
): 'none' | 'contained' | 'added' {
  if (BigInt(tax.amount) === 0n) return 'none';
  const subtotal = amounts.reduce((sum, { amount }) => sum + BigInt(amount), 0n);
  return subtotal === BigInt(total.amount) ? 'contained' : 'added';
}
