import { z } from 'zod';
import { expandable } from '../expansion/expanded-resource';
import type { DbTransaction } from '../db/pools';
import { CHECKOUT_KINDS, CHECKOUT_STATUSES } from '../domain/checkout';
import { TollgateError } from '../domain/errors';
import { applyTax, taxChargedHere } from '../domain/tax';
import { timeSchema, toTime, toTimeOrNull } from '../schemas/instant';
import { metadataSchema } from '../schemas/metadata';
import { moneySchema, toMoney } from '../schemas/money';
import { orNull } from '../schemas/or-null';
import { toTransactionResource, transactionSchema } from '../subscriptions/transaction-resource';
import { type TransactionRow, findTransactions } from '../subscriptions/transaction-store';
import type { WorkspaceScope } from '../tenancy/actor';
import { type CheckoutRow, findCheckout } from './checkout-store';
import { PROVIDERS } from '../domain/provider';
import { namedPlanSchema } from '../schemas/plan';
import { BILLING_INTERVALS, PRICINGS } from '../domain/subscription-types';

const ofPlan = { description: 'As offered; null for a one-time payment.' };

/** A checkout as the API shows it: what is offered to a customer, and whether it is paid. */
export const checkoutSchema = z
  .object({
    id: z.string(),
    kind: z.enum(CHECKOUT_KINDS).meta({
      description: '`subscription`: sells a plan; `payment`: collects a one-time amount.',
    }),
    status: z.enum(CHECKOUT_STATUSES).meta({
      description: '`complete`: paid, or nothing was due; `expired`: can no longer be paid.',
    }),
    provider: z.enum(PROVIDERS),
    connectionId: z.string().nullable().meta({ description: 'Null in local billing.' }),
    customerId: z.string(),
    externalId: z.string(),
    plan: namedPlanSchema.nullable().meta(ofPlan),
    seats: z.int().nullable().meta(ofPlan),
    price: moneySchema.nullable().meta(ofPlan),
    interval: z.enum(BILLING_INTERVALS).nullable().meta(ofPlan),
    pricing: z.enum(PRICINGS).nullable().meta(ofPlan),
    trial: orNull(
      z
        .object({
          days: z.int(),
          endsAt: timeSchema.meta({
            description: 'Date of the first charge; while the checkout is open: if it is completed now.',
          }),
          firstCharge: moneySchema.meta({
            description:
              'The amount charged then on the offered terms, with tax. At a payment provider: the plan’s price, to which the provider may add tax.',
          }),
        })
        .meta({ id: 'CheckoutTrial' }),
    ).meta({
      description: 'Of a plan with a trial; null otherwise.',
    }),
    amount: moneySchema.nullable().meta({ description: 'The one-time amount; null when a plan is sold.' }),
    description: z.string().nullable().meta({ description: 'Description of the amount.' }),
    subscriptionId: z.string().nullable().meta({
      description: '`incomplete` until the checkout is complete; null for a one-time payment.',
    }),
    transaction: orNull(transactionSchema).meta({
      description:
        'The transaction to be paid; null if the plan begins with a trial, for a one-time payment, and at a payment provider, which bills on its own.',
    }),
    amountDue: moneySchema.meta({
      description:
        'The amount still due, with tax; 0 before a trial. At a payment provider: the plan’s price, to which the provider may add tax.',
    }),
    url: z.string().nullable().meta({
      description:
        'Payment page, while the checkout is open; null in local billing, where payments are recorded.',
    }),
    successUrl: z.string().nullable(),
    cancelUrl: z.string().nullable(),
    failure: z.string().nullable().meta({
      description:
        'Why there is no payment page, why the payment could not be used, or why the payment provider cannot be asked about it.',
    }),
    expiresAt: timeSchema,
    givenUpAt: timeSchema.nullable().meta({
      description:
        'When it was given up; it stays `open` until the payment provider has confirmed whether it was paid. Null in local billing, where it ends immediately.',
    }),
    completedAt: timeSchema.nullable(),
    metadata: metadataSchema,
    createdAt: timeSchema,
    updatedAt: timeSchema,
    ...expandable,
  })
  .meta({ id: 'Checkout' });

export type CheckoutResource = z.output<typeof checkoutSchema>;

export function toCheckoutResource(
  row: CheckoutRow,
  transaction: TransactionRow | undefined,
): CheckoutResource {
  const { currency, planId, planSlug, unitAmount } = row;
  const charge = transaction === undefined ? null : toTransactionResource(transaction);
  return {
    id: row.id,
    kind: row.kind,
    status: row.status,
    provider: row.provider,
    connectionId: row.connectionId,
    customerId: row.customerId,
    externalId: row.externalId,
    plan: planId === null || planSlug === null ? null : { id: planId, slug: planSlug },
    seats: row.seats,
    price: unitAmount === null ? null : toMoney(unitAmount, currency),
    interval: row.interval,
    pricing: row.pricing,
    trial: trialOf(row),
    amount: row.amount === null ? null : toMoney(row.amount, currency),
    description: row.description,
    subscriptionId: row.subscriptionId,
    transaction: charge,
    amountDue: charge?.amountOpen ?? toMoney(isOwed(row) ? dueNow(row) : 0n, currency),
    url: row.status === 'open' ? row.url : null,
    successUrl: row.successUrl,
    cancelUrl: row.cancelUrl,
    failure: row.failure,
    expiresAt: toTime(row.expiresAt),
    givenUpAt: toTimeOrNull(row.givenUpAt),
    completedAt: toTimeOrNull(row.completedAt),
    metadata: row.metadata,
    createdAt: toTime(row.createdAt),
    updatedAt: toTime(row.updatedAt),
  };
}

/**
 * Returns whether an amount is due without a transaction: in an open checkout at a provider or for a one-time amount.
 */
function isOwed({ status, provider, kind }: CheckoutRow): boolean {
  return status === 'open' && (provider !== 'internal' || kind === 'payment');
}

/** Returns the amount due now; with a trial the first charge waits for its end. */
function dueNow(row: CheckoutRow): bigint {
  return row.trialDays > 0 ? 0n : priceOf(row);
}

function trialOf(row: CheckoutRow): CheckoutResource['trial'] {
  const { trialDays: days, trialEnd, tax, provider, currency } = row;
  if (days === 0 || trialEnd === null || tax === null) return null;
  const { total } = applyTax(priceOf(row), taxChargedHere(provider, tax));
  return { days, endsAt: toTime(trialEnd), firstCharge: toMoney(total, currency) };
}

/** Returns the total price before any added tax: minor units. */
export function priceOf({
  amount,
  unitAmount,
  seats,
  pricing,
}: Pick<CheckoutRow, 'amount' | 'unitAmount' | 'seats' | 'pricing'>): bigint {
  if (amount !== null) return BigInt(amount);
  return BigInt(unitAmount ?? 0) * BigInt(pricing === 'per_seat' ? (seats ?? 1) : 1);
}

/** @throws TollgateError checkout_not_found */
async function requireCheckout(trx: DbTransaction, scope: WorkspaceScope, id: string): Promise<CheckoutRow> {
  const row = await findCheckout(trx, scope, id);
  if (row === undefined) throw checkoutNotFound(id);
  return row;
}

export function checkoutNotFound(id: string): TollgateError {
  return new TollgateError('checkout_not_found', `There is no checkout "${id}" in this environment.`);
}

/** Reads a checkout for a response. @throws TollgateError checkout_not_found */
export async function readCheckout(
  trx: DbTransaction,
  scope: WorkspaceScope,
  id: string,
): Promise<CheckoutResource> {
  const row = await requireCheckout(trx, scope, id);
  const toResource = await resourceMapper(trx, scope, [row]);
  return toResource(row);
}

/** Reads the transactions of all rows at once. */
export async function resourceMapper(
  trx: DbTransaction,
  scope: WorkspaceScope,
  rows: readonly CheckoutRow[],
): Promise<(row: CheckoutRow) => CheckoutResource> {
  const ids = rows.flatMap(({ transactionId }) => (transactionId === null ? [] : [transactionId]));
  const transactions = new Map((await findTransactions(trx, scope, ids)).map((one) => [one.id, one]));
  return (row) =>
    toCheckoutResource(row, row.transactionId === null ? undefined : transactions.get(row.transactionId));
}
