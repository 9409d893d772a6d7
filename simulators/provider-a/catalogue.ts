import { z } from 'zod';
import { newId, type Account } from './account';
import { couponParameters, createCoupon } from './coupons';
import { createCustomer, deleteCustomer, requireCustomer, showCustomer } from './customers';
import { endpoint, type Endpoint } from './endpoint';
import { expand, flag, metadata, text, list, whole } from './parameters';
import { invalid } from './problem';
import type { Price } from './billing-records';
import { mergeMetadata } from './subscriptions';

/** The original's longest period is three years. */
const LONGEST = { day: 1095, week: 156, month: 36, year: 3 } as const;

const recurring = z
  .strictObject({
    interval: z.enum(['day', 'week', 'month', 'year']),
    interval_count: whole.optional(),
    usage_type: z.enum(['licensed', 'metered']).optional(),
    meter: text.optional(),
  })
  .refine(({ interval, interval_count: count = 1 }) => count >= 1 && count <= LONGEST[interval], {
    error: 'Invalid interval_count: the period may be at most three years',
  });

const tier = z.strictObject({
  flat_amount: whole.optional(),
  unit_amount: whole.optional(),
  up_to: z.union([z.literal('inf'), whole]),
});

const priceParameters = z.strictObject({
  active: flag.optional(),
  billing_scheme: z.enum(['per_unit', 'tiered']).optional(),
  currency: z.string().regex(/^[a-z]{3}$/, 'Invalid currency'),
  currency_options: z
    .record(z.string().regex(/^[a-z]{3}$/), z.strictObject({ unit_amount: whole }))
    .optional(),
  expand,
  lookup_key: text.optional(),
  metadata: metadata.optional(),
  nickname: text.optional(),
  product: text,
  recurring: recurring.optional(),
  tax_behavior: z.enum(['inclusive', 'exclusive', 'unspecified']).optional(),
  tiers: list(tier).optional(),
  tiers_mode: z.enum(['graduated', 'volume']).optional(),
  transform_quantity: z.strictObject({ divide_by: whole, round: z.enum(['up', 'down']) }).optional(),
  unit_amount: whole.optional(),
  unit_amount_decimal: z
    .string()
    .regex(/^\d{1,15}(\.\d{1,12})?$/, 'Invalid decimal')
    .optional(),
});
type PriceParameters = z.output<typeof priceParameters>;

const customerParameters = z.strictObject({
  email: text.max(512).optional(),
  expand,
  metadata: metadata.optional(),
  name: z.string().max(256).optional(),
});

const nothing = z.strictObject({ expand });

/** Endpoints for a merchant's set-up: prices, customers, and the account itself. */
export const catalogueEndpoints: Endpoint[] = [
  endpoint('GET', '/v1/account', nothing, ({ account }) => ({
    id: account.id,
    object: 'account',
    charges_enabled: true,
    details_submitted: true,
    payouts_enabled: true,
  })),
  endpoint('GET', '/v1/balance', nothing, ({ account }) => ({
    object: 'balance',
    available: [],
    pending: [],
    livemode: account.livemode,
  })),
  endpoint('POST', '/v1/prices', priceParameters, ({ account, wanted }) => createPrice(account, wanted)),
  endpoint('GET', '/v1/prices/:id', nothing, ({ account, id }) => account.get('price', id)),
  endpoint(
    'POST',
    '/v1/prices/:id',
    z.strictObject({ active: flag.optional(), expand }),
    ({ account, id, wanted }) => {
      const price = account.get('price', id);
      return Object.assign(price, { active: wanted.active ?? price.active });
    },
  ),
  endpoint('POST', '/v1/coupons', couponParameters, ({ account, wanted }) => createCoupon(account, wanted)),
  endpoint('GET', '/v1/coupons/:id', nothing, ({ account, id }) => account.get('coupon', id)),
  endpoint('POST', '/v1/customers', customerParameters, ({ account, wanted }) =>
    createCustomer(account, wanted.email ?? null, wanted.metadata, wanted.name ?? null),
  ),
  endpoint('GET', '/v1/customers/:id', nothing, ({ account, id }) => showCustomer(account, id)),
  endpoint('DELETE', '/v1/customers/:id', nothing, ({ account, id }) => deleteCustomer(account, id)),
  endpoint('POST', '/v1/customers/:id', customerParameters, ({ account, id, wanted }) => {
    const customer = requireCustomer(account, id);
    customer.email = wanted.email ?? customer.email;
    // An empty value removes it.
    customer.name = wanted.name === undefined ? (customer.name ?? null) : wanted.name || null;
    customer.metadata = mergeMetadata(customer.metadata, wanted.metadata);
    return customer;
  }),
];

/** Creates a price of a product; recurring if it has an interval. @param wanted may contain a chosen id, for seeds */
export function createPrice(account: Account, wanted: PriceParameters & { id?: string | undefined }): Price {
  requireAmount(wanted);
  const { currency, product, recurring, unit_amount, unit_amount_decimal: decimal, tiers } = wanted;
  const whole = unit_amount ?? (decimal !== undefined && /^\d+$/.test(decimal) ? Number(decimal) : null);
  return account.add({
    id: wanted.id ?? newId('price'),
    object: 'price',
    active: wanted.active ?? true,
    billing_scheme: wanted.billing_scheme ?? 'per_unit',
    created: account.now,
    currency,
    currency_options: wanted.currency_options,
    livemode: account.livemode,
    lookup_key: wanted.lookup_key ?? null,
    metadata: wanted.metadata ?? {},
    nickname: wanted.nickname ?? null,
    product,
    recurring:
      recurring === undefined
        ? null
        : {
            interval: recurring.interval,
            interval_count: recurring.interval_count ?? 1,
            meter: recurring.meter ?? null,
            usage_type: recurring.usage_type ?? 'licensed',
          },
    tax_behavior: wanted.tax_behavior ?? 'unspecified',
    ...(tiers && { tiers: tiers.map(storedTier) }),
    tiers_mode: wanted.tiers_mode ?? null,
    transform_quantity: wanted.transform_quantity ?? null,
    type: recurring === undefined ? 'one_time' : 'recurring',
    unit_amount: tiers === undefined ? whole : null,
    unit_amount_decimal: tiers === undefined ? (decimal ?? String(unit_amount)) : null,
  });
}

function storedTier(tier: NonNullable<PriceParameters['tiers']>[number]) {
  const { flat_amount: flat, unit_amount: unit, up_to: upTo } = tier;
  return { flat_amount: flat ?? null, unit_amount: unit ?? null, up_to: upTo === 'inf' ? null : upTo };
}

/** Requires exactly one kind of amount. */
function requireAmount(wanted: PriceParameters): void {
  const { unit_amount: unit, unit_amount_decimal: decimal, tiers, billing_scheme: scheme } = wanted;
  if (scheme === 'tiered') {
    if (tiers === undefined || wanted.tiers_mode === undefined)
      throw invalid('You must specify `tiers` and `tiers_mode` when `billing_scheme=tiered`.', {
        param: 'tiers',
      });
    if (tiers.at(-1)?.up_to !== 'inf')
      throw invalid('The last tier must have `up_to` set to `inf`.', { param: 'tiers' });
    if (unit !== undefined || decimal !== undefined)
      throw invalid('You may not specify `unit_amount` when `billing_scheme=tiered`.', {
        param: 'unit_amount',
      });
    return;
  }
  if (tiers !== undefined) throw invalid('`tiers` needs `billing_scheme=tiered`.', { param: 'tiers' });
  if ((unit === undefined) === (decimal === undefined)) {
    throw invalid('You must specify one of `unit_amount` and `unit_amount_decimal`.', {
      param: 'unit_amount',
    });
  }
  if (unit !== undefined && unit < 0) throw invalid('Invalid integer: unit_amount', { param: 'unit_amount' });
}
