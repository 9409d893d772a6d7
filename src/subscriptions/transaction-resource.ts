import { z } from 'zod';
import { expandable } from '../expansion/expanded-resource';
import { PRORATION_POLICY_VERSION } from '../domain/proration';
import { TAX_BEHAVIORS } from '../domain/tax';
import { TRANSACTION_KINDS, TRANSACTION_STATUSES } from '../domain/transaction';
import { timeSchema, toTime, toTimeOrNull } from '../schemas/instant';
import { orNull } from '../schemas/or-null';
import { listQuery } from '../schemas/list';
import { moneySchema, toMoney } from '../schemas/money';
import { customerFilters, idFilter } from '../schemas/id-filter';
import type { TransactionRow } from './transaction-store';
import { namedPlanSchema } from '../schemas/plan';
import { PRICINGS } from '../domain/subscription-types';

/** The tax that applies to a period or a transaction. */
export const taxSnapshotSchema = z
  .object({
    behavior: z.enum(TAX_BEHAVIORS),
    rates: z.array(
      z.object({
        name: z.string(),
        rate: z.string().meta({ description: 'A fraction as decimal text: "0.19" is 19 %.' }),
      }),
    ),
  })
  .meta({ id: 'TaxSnapshot' });

const lineSchema = z.object({
  description: z.string(),
  quantity: z.int(),
  unitAmount: moneySchema
    .nullable()
    .meta({ description: 'Null if the amount is not a multiple of a price.' }),
  amount: moneySchema.meta({ description: 'Negative for a credit.' }),
});

const prorationSideSchema = z.object({
  plan: namedPlanSchema,
  seats: z.int(),
  pricing: z.enum(PRICINGS),
  unitAmount: moneySchema,
  fullAmount: moneySchema.meta({ description: 'For the whole period.' }),
  amount: moneySchema.meta({ description: 'For the rest of it.' }),
});

const prorationSchema = z
  .object({
    policyVersion: z.literal(PRORATION_POLICY_VERSION).meta({ type: 'integer' }),
    at: timeSchema,
    periodStart: timeSchema,
    periodEnd: timeSchema,
    remainingMs: z.int(),
    periodMs: z.int(),
    current: prorationSideSchema,
    target: prorationSideSchema,
    net: moneySchema.meta({ description: '`target.amount` less `current.amount`, before tax.' }),
  })
  .meta({ id: 'Proration' });

/** A transaction as the API shows it: what a subscription owes for a period or an immediate change. */
export const transactionSchema = z
  .object({
    id: z.string(),
    subscriptionId: z.string(),
    customerId: z.string(),
    kind: z.enum(TRANSACTION_KINDS),
    status: z.enum(TRANSACTION_STATUSES),
    currency: z.string(),
    subtotal: moneySchema.meta({ description: 'The sum of the lines.' }),
    taxAmount: moneySchema.meta({
      description: 'Added to the subtotal if the tax is `exclusive`, contained in it if `inclusive`.',
    }),
    total: moneySchema,
    amountPaid: moneySchema,
    amountOpen: moneySchema.meta({
      description: 'The amount still due; 0 once it is void. A refund does not raise it.',
    }),
    tax: taxSnapshotSchema,
    lines: z.array(lineSchema),
    proration: orNull(prorationSchema).meta({
      description: 'How the net amount of a change was calculated.',
    }),
    periodStart: timeSchema,
    periodEnd: timeSchema,
    dueAt: timeSchema.meta({
      description: 'If still unpaid at this time, the subscription becomes past due.',
    }),
    paidAt: timeSchema.nullable(),
    voidedAt: timeSchema.nullable(),
    createdAt: timeSchema,
    ...expandable,
  })
  .meta({ id: 'Transaction' });

export const listTransactionsQuery = listQuery.extend({
  subscriptionId: idFilter('subscription'),
  ...customerFilters,
  status: z.enum(TRANSACTION_STATUSES).optional(),
});

export type TransactionResource = z.output<typeof transactionSchema>;

export function toTransactionResource(row: TransactionRow): TransactionResource {
  const money = (amount: bigint | string) => toMoney(amount, row.currency);
  return {
    id: row.id,
    subscriptionId: row.subscriptionId,
    customerId: row.customerId,
    kind: row.kind,
    status: row.status,
    currency: row.currency,
    subtotal: money(row.subtotal),
    taxAmount: money(row.taxAmount),
    total: money(row.total),
    amountPaid: money(row.amountPaid),
    amountOpen: money(row.status === 'void' ? 0n : row.total - row.amountPaid),
    tax: row.tax,
    lines: row.lines.map((line) => ({
      description: line.description,
      quantity: line.quantity,
      unitAmount: line.unitAmount === null ? null : money(line.unitAmount),
      amount: money(line.amount),
    })),
    proration: row.proration === null ? null : toProrationResource(row.proration, row.currency),
    periodStart: toTime(row.periodStart),
    periodEnd: toTime(row.periodEnd),
    dueAt: toTime(row.dueAt),
    paidAt: toTimeOrNull(row.paidAt),
    voidedAt: toTimeOrNull(row.voidedAt),
    createdAt: toTime(row.createdAt),
  };
}

const instant = z.number();
const storedSide = z.object({
  planId: z.string(),
  planSlug: z.string(),
  seats: z.int(),
  unitAmount: z.coerce.bigint(),
  pricing: z.enum(PRICINGS),
  fullAmount: z.coerce.bigint(),
  amount: z.coerce.bigint(),
});
const storedProration = z.object({
  policyVersion: z.literal(PRORATION_POLICY_VERSION),
  at: instant,
  periodStart: instant,
  periodEnd: instant,
  remainingMs: z.int(),
  periodMs: z.int(),
  current: storedSide,
  target: storedSide,
  net: z.coerce.bigint(),
});

/** Converts a proration, read from its stored JSON or, in a preview, from the domain's value. */
function toProrationResource(proration: object, currency: string): z.output<typeof prorationSchema> {
  const { at, periodStart, periodEnd, current, target, net, ...rest } = storedProration.parse(proration);
  const side = ({ planId, planSlug, seats, pricing, ...amounts }: typeof current) => ({
    plan: { id: planId, slug: planSlug },
    seats,
    pricing,
    unitAmount: toMoney(amounts.unitAmount, currency),
    fullAmount: toMoney(amounts.fullAmount, currency),
    amount: toMoney(amounts.amount, currency),
  });
  return {
    ...rest,
    at: toTime(at),
    periodStart: toTime(periodStart),
    periodEnd: toTime(periodEnd),
    current: side(current),
    target: side(target),
    net: toMoney(net, currency),
  };
}
