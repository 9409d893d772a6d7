import { z } from 'zod';
import { PROVIDERS } from '../domain/subscription';
import { instantInput, timeSchema, toTime } from '../schemas/instant';
import { listQuery } from '../schemas/list';
import { currency, moneySchema, toMoney } from '../schemas/money';
import type { SettlementLine, SettlementRow } from './settlement-store';

/** A settlement as the API shows it. */
export const settlementSchema = z
  .object({
    id: z.string(),
    provider: z.enum(PROVIDERS),
    currency: z.string(),
    periodStart: timeSchema,
    periodEnd: timeSchema.meta({ description: 'What came in at this instant is of the next period.' }),
    paid: moneySchema,
    refunded: moneySchema,
    fees: moneySchema,
    net: moneySchema.meta({ description: '`paid` less `refunded` and `fees`; may be below zero.' }),
    createdAt: timeSchema,
  })
  .meta({ id: 'Settlement' });

const lineSchema = z.object({
  kind: z.enum(['payment', 'refund']),
  id: z.string(),
  amount: moneySchema,
  at: timeSchema.meta({ description: 'When the payment was received, or the refund completed.' }),
});

export const settlementWithLinesSchema = settlementSchema
  .extend({
    lines: z.array(lineSchema).meta({ description: 'The earliest first; at most 1,000.' }),
    linesMore: z.boolean().meta({
      description:
        'Whether there are more than are shown; the lists of payments and refunds filter by `settlementId`.',
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
});

export type SettlementResource = z.output<typeof settlementSchema>;
export type SettlementWithLines = z.output<typeof settlementWithLinesSchema>;
export type CreateSettlementInput = z.output<typeof createSettlementInput>;

export function toSettlementResource(row: SettlementRow): SettlementResource {
  const money = (amount: bigint) => toMoney(amount, row.currency);
  return {
    id: row.id,
    provider: row.provider,
    currency: row.currency,
    periodStart: toTime(row.periodStart),
    periodEnd: toTime(row.periodEnd),
    paid: money(row.paid),
    refunded: money(row.refunded),
    fees: money(row.fees),
    net: money(row.net),
    createdAt: toTime(row.createdAt),
  };
}

/** @param lines one more than are shown, where there are more */
export function toSettlementWithLines(
  row: SettlementRow,
  lines: readonly SettlementLine[],
  shown: number,
): SettlementWithLines {
  return {
    ...toSettlementResource(row),
    lines: lines.slice(0, shown).map(({ kind, id, amount, at }) => ({
      kind,
      id,
      amount: toMoney(amount, row.currency),
      at: toTime(at),
    })),
    linesMore: lines.length > shown,
  };
}
