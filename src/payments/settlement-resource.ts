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
      description: '`failed`: the provider’s payout came back, and what it counted waits for the next one.',
    }),
    connectionId: z
      .string()
      .nullable()
      .meta({ description: 'Whose account at the provider; null in local billing.' }),
    reference: z.string().nullable().meta({ description: 'What the provider calls it.' }),
    currency: z.string(),
    periodStart: timeSchema,
    periodEnd: timeSchema.meta({ description: 'What came in at this instant is of the next period.' }),
    paid: moneySchema,
    refunded: moneySchema.meta({
      description: 'Less what came back of earlier refunds, so that it may be below zero.',
    }),
    fees: moneySchema,
    net: moneySchema.meta({
      description:
        'What was paid out: `paid` less `refunded` and `fees`, with `unmatchedAmount`; may be below zero.',
    }),
    unmatchedAmount: moneySchema.meta({
      description: 'What of the provider’s `net` no payment, refund or fee here explains; may be below zero.',
    }),
    difference: z.string().nullable().meta({ description: 'What is not explained, in words.' }),
    createdAt: timeSchema,
  })
  .meta({ id: 'Settlement' });

const lineSchema = z.object({
  kind: z.enum(['payment', 'refund', 'returned_refund']).meta({
    description: '`returned_refund`: it failed, or the dispute was won, and its money came back.',
  }),
  id: z.string(),
  amount: moneySchema,
  at: timeSchema.meta({ description: 'When the payment was received, or the refund completed.' }),
});

const unmatchedLineSchema = z.object({
  kind: z
    .string()
    .meta({ description: 'What the provider’s reference names: a `charge`, a `refund`, `other`.' }),
  reference: z.string(),
  amount: moneySchema.meta({ description: 'Before the fee; below zero where money went back.' }),
  fee: moneySchema,
});

export const settlementWithLinesSchema = settlementSchema
  .extend({
    lines: z.array(lineSchema).meta({ description: 'The earliest first; at most 1,000.' }),
    unmatchedLines: z.array(unmatchedLineSchema).meta({
      description: 'What the provider names and nothing here is; at most 1,000.',
    }),
    linesMore: z.boolean().meta({
      description:
        'Whether there are more of either than are shown; the lists of payments and refunds filter by `settlementId`.',
    }),
  })
  .meta({ id: 'SettlementWithLines' });

export const createSettlementInput = z
  .strictObject({
    periodStart: instantInput,
    periodEnd: instantInput.meta({ description: 'At most the workspace’s present time.' }),
    currency: currency.optional().meta({ description: 'The workspace’s default currency, if left out.' }),
  })
  // So put that a member of the wrong form, which has its own finding, does not get this one too.
  .refine((input) => !(input.periodEnd <= input.periodStart), {
    path: ['periodEnd'],
    error: 'is not after periodStart',
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

/** @param lines one more than are shown, where there are more; the same of `unmatched` */
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
