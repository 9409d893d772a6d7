import { z } from 'zod';
import { newId, type Account } from './account';
import { createCustomer } from './customers';
import { endpoint, type Endpoint } from './endpoint';
import { expand, flag, metadata, text, whole } from './parameters';
import { invalid } from './problem';
import type { Price } from './records';
import { mergeMetadata } from './subscriptions';

const priceParameters = z.strictObject({
  currency: z.string().regex(/^[a-z]{3}$/, 'Invalid currency'),
  expand,
  metadata: metadata.optional(),
  product: text,
  recurring: z.strictObject({ interval: z.enum(['day', 'week', 'month', 'year']) }).optional(),
  unit_amount: whole,
});

const customerParameters = z.strictObject({
  email: text.optional(),
  expand,
  metadata: metadata.optional(),
});

const nothing = z.strictObject({ expand });

/** What a merchant sets up: prices and customers, and what the account itself says. */
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
  endpoint('POST', '/v1/customers', customerParameters, ({ account, wanted }) =>
    createCustomer(account, wanted.email ?? null, wanted.metadata),
  ),
  endpoint('GET', '/v1/customers/:id', nothing, ({ account, id }) => account.get('customer', id)),
  endpoint('POST', '/v1/customers/:id', customerParameters, ({ account, id, wanted }) => {
    const customer = account.get('customer', id);
    customer.email = wanted.email ?? customer.email;
    customer.metadata = mergeMetadata(customer.metadata, wanted.metadata);
    return customer;
  }),
];

/** A price of a product; recurring when it has an interval. @param wanted with an id of one's own choice, for seeds */
export function createPrice(
  account: Account,
  wanted: z.output<typeof priceParameters> & { id?: string | undefined },
): Price {
  if (wanted.unit_amount < 0) throw invalid('Invalid integer: unit_amount', { param: 'unit_amount' });
  const { currency, product, recurring, unit_amount } = wanted;
  return account.add({
    id: wanted.id ?? newId('price'),
    object: 'price',
    active: true,
    created: account.now,
    currency,
    livemode: account.livemode,
    metadata: wanted.metadata ?? {},
    product,
    recurring: recurring === undefined ? null : { ...recurring, interval_count: 1, usage_type: 'licensed' },
    type: recurring === undefined ? 'one_time' : 'recurring',
    unit_amount,
  });
}
