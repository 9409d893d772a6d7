import { z } from 'zod';
import { pseudonymOf } from '../domain/erasure';
import { PAYMENT_PROVIDERS } from '../domain/provider';
import { timeSchema, toTime, toTimeOrNull } from '../schemas/instant';
import type { ErasureRow } from './erasure-store';
import type { Holding } from './holdings-store';

/** An erasure as returned by the API. */
export const erasureSchema = z
  .object({
    id: z.string(),
    customerId: z.string(),
    status: z.enum(['running', 'complete']).meta({
      description:
        '`running`: the customer’s identity is already removed; records about the customer are still being blanked.',
    }),
    pseudonym: z
      .string()
      .meta({ description: 'The external id under which the customer’s money and usage are kept.' }),
    requestedAt: timeSchema.meta({ description: 'Real time, in a sandbox too.' }),
    completedAt: timeSchema.nullable().meta({ description: 'Real time, too.' }),
    blanked: z.record(z.string(), z.int()).meta({ description: 'Number of rows blanked so far, by kind.' }),
    providersHoldingData: z
      .array(
        z.object({
          connectionId: z.string(),
          provider: z.enum(PAYMENT_PROVIDERS),
          references: z
            .array(z.object({ kind: z.string(), reference: z.string() }))
            .meta({ description: 'The provider’s ids of the customer and of their purchases.' }),
        }),
      )
      .meta({ description: 'Where data of the customer remains: erase it there as well.' }),
  })
  .meta({ id: 'Erasure' });

export type ErasureResource = z.output<typeof erasureSchema>;

/** Additional member of the refusal for a customer with open affairs. */
export const openAffairsMember = z.object({
  open: z
    .object({
      subscriptions: z.array(z.string()),
      checkouts: z.array(z.string()),
      refunds: z.array(z.string()),
      operations: z.array(z.string()),
    })
    .optional()
    .meta({ description: 'The ids of what is open.' }),
});

export function toErasureResource(row: ErasureRow, holdings: Holding[]): ErasureResource {
  return {
    id: row.id,
    customerId: row.customerId,
    status: row.completedAt === null ? 'running' : 'complete',
    pseudonym: pseudonymOf(row.customerId),
    requestedAt: toTime(row.requestedAt),
    completedAt: toTimeOrNull(row.completedAt),
    blanked: row.blanked,
    providersHoldingData: holdings,
  };
}
