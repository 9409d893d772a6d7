import { z } from 'zod';
import type { MatchedLine } from '../domain/provider-settlement';
import { instantInput, timeSchema, toTime } from '../schemas/instant';
import { listQuery } from '../schemas/list';
import { currency, moneySchema, toMoney } from '../schemas/money';
import { identifier } from '../schemas/text';
import type { SettlementLine } from './settlement-line-store';
import { SETTLEMENT_STATUSES, type SettlementRow } from './settlement-store';
import { PROVIDERS } from '../domain/provider';

/** A settlement as the API shows it. */
export const settlementSchema = z
  .object({
    id: z.string(),
    provider: z.enum(PROVIDERS),
    status: z.enum(SETTLEMENT_STATUSES).meta({
      description: '`failed`: the provider’s payout was returned, and its lines wait for the next one.',
    }),
    connectionId: z
      .string()
      .nullable()
      .meta({ description: 'The provider connection; null in local billing.' }),
    reference: z.string().nullable().meta({ description: 'The provider’s id of it.' }),
    currency: z.string(),
    periodStart: timeSchema,
    periodEnd: timeSchema.meta({
      description: 'Exclusive: a payment at this instant belongs to the next period.',
    }),
    paid: moneySchema,
    refunded: moneySchema.meta({
      description: 'Net of returned refunds, so it may be negative.',
    }),
    fees: moneySchema,
    net: moneySchema.meta({
      description: 'The payout: `paid` minus `refunded` and `fees`, plus `unmatchedAmount`; may be negative.',
    }),
    unmatchedAmount: moneySchema.meta({
      description:
        'The part of the provider’s `net` that no payment, refund or fee here explains; may be negative.',
    }),
    difference: z.string().nullable().meta({ description: 'Description of the unexplained part.' }),
    createdAt: timeSchema,
  })
  .meta({ id: 'Settlement' });

const lineSchema = z.object({
  kind: z.enum(['payment', 'refund', 'returned_refund']).meta({
    description: '`returned_refund`: it failed, or the dispute was won, and its money was returned.',
  }),
  id: z.string(),
  amount: moneySchema,
  at: timeSchema.meta({ description: 'When the payment was received, or the refund completed.' }),
});

const unmatchedLineSchema = z.object({
  kind: z.string().meta({
    description:
      'Kind of the provider’s reference: `charge` (A), `capture` (B), `payment` (B and C), `refund`, `dispute` (A) or `other`.',
  }),
  reference: z.string(),
  amount: moneySchema.meta({ description: 'Before the fee; negative if money was returned.' }),
  fee: moneySchema,
});

export const settlementWithLinesSchema = settlementSchema
  .extend({
    lines: z.array(lineSchema).meta({ description: 'Earliest first; at most 1,000.' }),
    unmatchedLines: z.array(unmatchedLineSchema).meta({
      description: 'Lines of the provider that match nothing here; at most 1,000.',
    }),
    linesMore: z.boolean().meta({
      description:
        'Whether either list is incomplete; the lists of payments and refunds filter by `settlementId`.',
    }),
  })
  .meta({ id: 'SettlementWithLines' });

export const createSettlementInput = z
  .strictObject({
    periodStart: instantInput,
    periodEnd: instantInput.meta({ description: 'At most the workspace’s present time.' }),
    currency: currency.optional().meta({ description: 'Default: the workspace’s default currency.' }),
  })
  // Written this way so that a malformed member, which has its own finding, does not get this one too.
  .refine((input) => !(input.periodEnd <= input.periodStart), {
    path: ['periodEnd'],
    error: 'is not after periodStart',
    params: { fix: 'Send a later periodEnd, or an earlier periodStart.' },
  });

export const listSettlementsQuery = listQuery.extend({
  provider: z.enum(PROVIDERS).optional(),
  currency: currency.optional(),
  connectionId: identifier.optional(),
  status: z.enum(SETTLEMENT_STATUSES).optional(),
});

export type SettlementResource = z.output<typeof settlementSchema>;
export type SettlementWithLines = z.output<typeof settlementWithLinesSchema>;
export type CreateSettlementInput = z.output<typeof createSettlementInput>;

export function toSettlementResource(row: SettlementRow): SettlementResource {
  const money = (amount: bigint) => toMoney(amount, row.currency);
  return {
    id: row.id,
    provider: row.provider,
    status: row.status,
    connectionId: row.connectionId,
    reference: row.reference,
    currency: row.currency,
    periodStart: toTime(row.periodStart),
    periodEnd: toTime(row.periodEnd),
    paid: money(row.paid),
    refunded: money(row.refunded),
    fees: money(row.fees),
    net: money(row.net),
    unmatchedAmount: money(row.unmatched),
    difference: row.difference,
    createdAt: toTime(row.createdAt),
  };
}

/** @param lines one more than are shown, if there are more; the same for `unmatched` */
export function toSettlementWithLines(
  row: SettlementRow,
  lines: readonly SettlementLine[],
  unmatched: readonly MatchedLine[],
  shown: number,
): SettlementWithLines {
  const money = (amount: bigint) => toMoney(amount, row.currency);
  return {
    ...toSettlementResource(row),
    lines: lines.slice(0, shown).map(({ kind, id, amount, at }) => ({
      kind,
      id,
      amount: money(amount),
      at: toTime(at),
    })),
    unmatchedLines: unmatched.slice(0, shown).map(({ kind, reference, amount, fee }) => ({
      kind,
      reference,
      amount: money(amount),
      fee: money(fee),
    })),
    linesMore: lines.length > shown || unmatched.length > shown,
  };
}
