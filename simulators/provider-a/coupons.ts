import { z } from 'zod';
import { newId, type Account } from './account';
import type { Coupon } from './stored-records';
import { expand, metadata, text, whole } from './parameters';
import { invalid } from './problem';

export const couponParameters = z.strictObject({
  amount_off: whole.optional(),
  currency: z
    .string()
    .regex(/^[a-z]{3}$/)
    .optional(),
  duration: z.enum(['forever', 'once', 'repeating']).optional(),
  expand,
  id: text.optional(),
  metadata: metadata.optional(),
  name: z.string().max(40).optional(),
  percent_off: z
    .string()
    .regex(/^\d{1,3}(\.\d{1,2})?$/, 'Invalid decimal')
    .transform(Number)
    .optional(),
});

/** Handles `POST /v1/coupons`: a percentage of the price, or an amount. */
export function createCoupon(account: Account, wanted: z.output<typeof couponParameters>): Coupon {
  const { amount_off: amount, percent_off: percent, currency } = wanted;
  if ((amount === undefined) === (percent === undefined))
    throw invalid('You must specify one of `percent_off` and `amount_off`.', { param: 'percent_off' });
  if (amount !== undefined && currency === undefined)
    throw invalid('You must pass currency when passing amount_off', { param: 'currency' });
  if (percent !== undefined && (percent <= 0 || percent > 100))
    throw invalid('Invalid percent_off', { param: 'percent_off' });
  return account.add({
    id: wanted.id ?? newId('coupon'),
    object: 'coupon',
    amount_off: amount ?? null,
    created: account.now,
    currency: currency ?? null,
    duration: wanted.duration ?? 'once',
    livemode: account.livemode,
    name: wanted.name ?? null,
    percent_off: percent ?? null,
    valid: true,
  });
}
