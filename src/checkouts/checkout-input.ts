import { z } from 'zod';
import {
  CHECKOUT_KINDS,
  CHECKOUT_MINUTES,
  CHECKOUT_STATUSES,
  MIN_CHECKOUT_MINUTES,
  MAX_CHECKOUT_MINUTES,
} from '../domain/checkout';
import { listQuery } from '../schemas/list';
import { amountInput } from '../schemas/money';
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
  seats: seats.unwrap().optional().meta({ description: 'Of the plan; 1 if left out.' }),
  amount: amountInput.optional().meta({ description: 'To take an amount once, in place of a plan.' }),
  description: line({ min: 1, max: 200 })
    .optional()
    .meta({ description: 'What the amount is for, as the customer reads it; needed with `amount`.' }),
  provider: z
    .enum(PROVIDERS)
    .optional()
    .meta({ description: 'Who collects; the settings’ `defaultProvider` if left out.' }),
  connectionId: identifier
    .optional()
    .meta({ description: 'The provider connection; needed where a provider has several.' }),
  successUrl: returnUrlInput.optional().meta({
    description:
      'Where the provider sends the customer who has paid: https, or in the sandbox http on loopback. The connection’s setting `returnUrl` if left out, or else a page of this service.',
  }),
  cancelUrl: returnUrlInput.optional().meta({ description: 'The same for a customer who turns back.' }),
  expiresInMinutes: z
    .int()
    .min(MIN_CHECKOUT_MINUTES)
    .max(MAX_CHECKOUT_MINUTES)
    .default(CHECKOUT_MINUTES)
    .meta({ description: 'How long it can be paid; a day if left out.' }),
  metadata: metadata.meta({ description: 'Of the subscription, or of the checkout where there is none.' }),
};

export const createCheckoutInput = z
  .strictObject(shape)
  .refine((input) => (input.customerId === undefined) !== (input.externalId === undefined), {
    path: ['customerId'],
    error: 'or externalId: send one of the two to name the customer',
  })
  .refine(
    ({ planId: id, planSlug: name, amount }) =>
      [id, name, amount].filter((offer) => offer !== undefined).length === 1,
    { path: ['planId'], error: 'or planSlug (a plan), or amount (a one-time payment): send one of them' },
  )
  .refine((input) => (input.amount === undefined) === (input.description === undefined), {
    path: ['description'],
    error: 'describes an amount: send it only together with amount',
  })
  .refine((input) => input.amount === undefined || input.seats === undefined, {
    path: ['seats'],
    error: 'belong to a plan: leave them out of a one-time payment',
  });

export type CreateCheckoutInput = z.output<typeof createCheckoutInput>;

export const listCheckoutsQuery = listQuery.extend({
  kind: z.enum(CHECKOUT_KINDS).optional(),
  provider: z.enum(PROVIDERS).optional(),
  status: z.enum(CHECKOUT_STATUSES).optional(),
  customerId: identifier.optional(),
  subscriptionId: identifier.optional(),
});

/** What a checkout at a payment provider is to be, as it waits in an operation: JSON. */
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
  metadata,
});

export type OrderedCheckout = z.output<typeof orderedCheckout>;

export function toOrderInput({ offer, ...ordered }: OrderedCheckout): Record<string, unknown> {
  if (offer.kind === 'subscription') return { ...ordered, offer };
  return { ...ordered, offer: { ...offer, amount: offer.amount.toString() } };
}

/** What an operation asks for. */
export function fromOrderInput(input: Record<string, unknown>): OrderedCheckout {
  return orderedCheckout.parse(input);
}
