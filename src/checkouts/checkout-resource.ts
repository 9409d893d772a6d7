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

const ofPlan = { description: 'Of the plan that is offered; null where an amount is taken once.' };

/** A checkout as the API shows it: what is offered to a customer, and whether it is paid. */
export const checkoutSchema = z
  .object({
    id: z.string(),
    kind: z.enum(CHECKOUT_KINDS).meta({
      description: '`subscription`: it offers a plan; `payment`: it takes an amount once.',
    }),
    status: z.enum(CHECKOUT_STATUSES).meta({
      description: '`complete`: it is paid, or nothing was to pay; `expired`: it can no longer be paid.',
    }),
    provider: z.enum(PROVIDERS),
    connectionId: z.string().nullable().meta({ description: 'Null in local billing.' }),
    customerId: z.string(),
    externalId: z.string(),
    plan: z.object({ id: z.string(), slug: z.string() }).nullable().meta(ofPlan),
    seats: z.int().nullable().meta(ofPlan),
    price: moneySchema.nullable().meta(ofPlan),
    interval: z.enum(['month', 'year']).nullable().meta(ofPlan),
    pricing: z.enum(['flat', 'per_seat']).nullable().meta(ofPlan),
    trial: orNull(
      z
        .object({
          days: z.int(),
          endsAt: timeSchema.meta({
            description: 'When the first charge comes; while the checkout is open, if it is completed now.',
          }),
          firstCharge: moneySchema.meta({
            description:
              'What is charged then, with tax. At a payment provider, which may add tax, the plan’s price.',
          }),
        })
        .meta({ id: 'CheckoutTrial' }),
    ).meta({
      description: 'Of a plan that begins with a trial; null without one.',
    }),
    amount: moneySchema.nullable().meta({ description: 'What is taken once; null where a plan is offered.' }),
    description: z.string().nullable().meta({ description: 'What the amount is for.' }),
    subscriptionId: z.string().nullable().meta({
      description: 'It is `incomplete` until the checkout is complete; null where an amount is taken once.',
    }),
    transaction: orNull(transactionSchema).meta({
      description:
        'What is to be paid; null where a trial comes first, where an amount is taken once, and at a payment provider, which collects by its own reckoning.',
    }),
    amountDue: moneySchema.meta({
      description:
        'What is still to be paid, with tax; nothing before a trial. At a payment provider it is the plan’s price, to which the provider may add tax.',
    }),
    url: z.string().nullable().meta({
      description:
        'Where the customer pays, for as long as the checkout is open; null in local billing, whose payments are recorded.',
    }),
    successUrl: z.string().nullable(),
    cancelUrl: z.string().nullable(),
    failure: z.string().nullable().meta({
      description: 'Why there is nowhere to pay, or why what was paid could not be used.',
    }),
    expiresAt: timeSchema,
    givenUpAt: timeSchema.nullable().meta({
      description:
        'When it was given up; it stays `open` until its payment provider has said whether it was paid. Null in local billing, where it ends at once.',
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

/** Where no transaction says it: an open one of a provider, or one that takes an amount once. */
function isOwed({ status, provider, kind }: CheckoutRow): boolean {
  return status === 'open' && (provider !== 'internal' || kind === 'payment');
}

/** The first charge waits for the end of a trial. */
function dueNow(row: CheckoutRow): bigint {
  return row.trialDays > 0 ? 0n : priceOf(row);
}

function trialOf(row: CheckoutRow): CheckoutResource['trial'] {
  const { trialDays: days, trialEnd, tax, provider, currency } = row;
  if (days === 0 || trialEnd === null || tax === null) return null;
  const { total } = applyTax(priceOf(row), taxChargedHere(provider, tax));
  return { days, endsAt: toTime(trialEnd), firstCharge: toMoney(total, currency) };
}

/** What the whole of it costs, before a tax that is added: minor units. */
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

/** A checkout for an answer. @throws TollgateError checkout_not_found */
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
