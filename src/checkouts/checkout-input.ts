import { z } from 'zod';
import {
  CHECKOUT_KINDS,
  CHECKOUT_MINUTES,
  CHECKOUT_STATUSES,
  MIN_CHECKOUT_MINUTES,
  MAX_CHECKOUT_MINUTES,
} from '../domain/checkout';
import { listQuery } from '../schemas/list';
import { metadataInput } from '../schemas/metadata';
import { amountInput } from '../schemas/money';
import { customerFilters, idFilter } from '../schemas/id-filter';
import { identifier, line } from '../schemas/text';
import { createSubscriptionInput } from '../subscriptions/subscription-resource';
import { returnUrlInput } from './return-urls';
import { PROVIDERS } from '../domain/provider';

const { customerId, externalId, planId, planSlug, seats, metadata } = createSubscriptionInput.shape;

const shape = {
  customerId,
  externalId,
  planId,
  planSlug,
  seats: seats.unwrap().optional().meta({ description: 'Seats of the plan; default: 1.' }),
  amount: amountInput.optional().meta({ description: 'For a one-time payment instead of a plan.' }),
  description: line({ min: 1, max: 200 })
    .optional()
    .meta({ description: 'Description of the amount, shown to the customer; required with `amount`.' }),
  provider: z
    .enum(PROVIDERS)
    .optional()
    .meta({ description: 'Billing provider; default: the setting `defaultProvider`.' }),
  connectionId: identifier
    .optional()
    .meta({ description: 'The provider connection; required if the provider has several.' }),
  successUrl: returnUrlInput.optional().meta({
    description:
      'Where the provider redirects the customer after payment: https, or in the sandbox http on loopback. Default: the connection’s setting `returnUrl`, or else a page of this service.',
  }),
  cancelUrl: returnUrlInput.optional().meta({ description: 'The same for a customer who cancels.' }),
  expiresInMinutes: z
    .int()
    .min(MIN_CHECKOUT_MINUTES)
    .max(MAX_CHECKOUT_MINUTES)
    .default(CHECKOUT_MINUTES)
    .meta({
      description:
        'How long it can be paid; default: one day. A payment provider’s page may end earlier: at provider A after one day at the latest.',
    }),
  metadata: metadata.meta({
    description: 'Of the subscription, or of the checkout if there is no subscription.',
  }),
};

export const createCheckoutInput = z
  .strictObject(shape)
  .refine((input) => (input.customerId === undefined) !== (input.externalId === undefined), {
    path: ['customerId'],
    error: 'or externalId: send one of the two to name the customer',
    params: { fix: 'Send either customerId or externalId.' },
  })
  .refine(
    ({ planId: id, planSlug: name, amount }) =>
      [id, name, amount].filter((offer) => offer !== undefined).length === 1,
    {
      path: ['planId'],
      error: 'or planSlug (a plan), or amount (a one-time payment): send one of them',
      params: { fix: 'Send exactly one of planId, planSlug and amount.' },
    },
  )
  .refine((input) => input.amount === undefined || input.description !== undefined, {
    path: ['description'],
    error: 'is missing: send with an amount what it is for',
    params: { fix: 'Send what the amount is for.' },
  })
  .refine((input) => input.amount !== undefined || input.description === undefined, {
    path: ['description'],
    error: 'describes an amount: send it only together with amount',
    params: { fix: 'Leave it out, or send an amount.' },
  })
  .refine((input) => input.amount === undefined || input.seats === undefined, {
    path: ['seats'],
    error: 'belong to a plan: leave them out of a one-time payment',
    params: { fix: 'Leave them out.' },
  });

export type CreateCheckoutInput = z.output<typeof createCheckoutInput>;

export const listCheckoutsQuery = listQuery.extend({
  kind: z.enum(CHECKOUT_KINDS).optional(),
  provider: z.enum(PROVIDERS).optional(),
  status: z.enum(CHECKOUT_STATUSES).optional(),
  ...customerFilters,
  subscriptionId: idFilter('subscription'),
});

/** A requested checkout at a payment provider, as stored in an operation: JSON. */
const orderedCheckout = z.object({
  customerId: z.string(),
  offer: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('subscription'), planId: z.string(), seats: z.number() }),
    z.object({
      kind: z.literal('payment'),
      amount: z.coerce.bigint(),
      currency: z.string(),
      description: z.string(),
    }),
  ]),
  connectionId: z.string(),
  successUrl: z.string(),
  cancelUrl: z.string(),
  expiresInMinutes: z.number(),
  metadata: metadataInput,
});

export type OrderedCheckout = z.output<typeof orderedCheckout>;

export function toOrderInput({ offer, ...ordered }: OrderedCheckout): Record<string, unknown> {
  if (offer.kind === 'subscription') return { ...ordered, offer };
  return { ...ordered, offer: { ...offer, amount: offer.amount.toString() } };
}

/** Reads the checkout that an operation asks for. */
export function fromOrderInput(input: Record<string, unknown>): OrderedCheckout {
  return orderedCheckout.parse(input);
}
