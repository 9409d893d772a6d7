import { z } from 'zod';
import { isCurrency } from '../domain/currency';
import { formatMoney, parseMoney, type Money } from '../domain/money';

/** An ISO 4217 code in use, in capital letters. */
export const currency = z
  .string()
  .refine(isCurrency, {
    error: 'is not the ISO 4217 code of a currency in use, in capital letters',
    params: { fix: 'Send a code such as "USD".' },
  })
  .meta({ example: 'USD' });

const minorUnits = z
  .string()
  .regex(/^(?:0|[1-9]\d{0,17})$/, {
    error: 'is not a whole number of minor units, as text of at most 18 digits',
  })
  .meta({ example: '1451', description: 'Minor units (cents for USD, yen for JPY), as text.' });

/** Money in answers. */
export const moneySchema = z.object({ amount: z.string(), currency: z.string() }).meta({ id: 'Money' });

/** Money in requests, zero or more; parsed to `Money`. */
export const priceInput = z.strictObject({ amount: minorUnits, currency }).transform(parseMoney);

/** Money in requests, more than zero: payments and refunds. */
export const amountInput = priceInput.refine(({ amount }) => amount > 0n, {
  path: ['amount'],
  error: 'is not more than zero',
  params: { fix: 'Send more than "0".' },
});

/** Formats money of the database for an answer. Minor units are text, because a double would round a large bigint. */
export function toMoney(amount: string | bigint, currencyCode: string): z.output<typeof moneySchema> {
  const money: Money = { amount: BigInt(amount), currency: currencyCode };
  return formatMoney(money);
}
