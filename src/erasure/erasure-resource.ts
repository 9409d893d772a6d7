import { z } from 'zod';
import { pseudonymOf } from '../domain/erasure';
import { PAYMENT_PROVIDERS } from '../domain/provider';
import { timeSchema, toTime, toTimeOrNull } from '../schemas/instant';
import type { ErasureRow } from './erasure-store';
import type { Holding } from './holdings-store';

/** An erasure as the API shows it. */
export const erasureSchema = z
  .object({
    id: z.string(),
    customerId: z.string(),
    status: z.enum(['running', 'complete']).meta({
      description:
        'In a `running` erasure the customer has lost its name already, and nobody finds it by it; what was written about it is being blanked.',
    }),
    pseudonym: z.string().meta({ description: 'The external id under which its money and usage stay.' }),
    requestedAt: timeSchema.meta({ description: 'Real time, in a sandbox too.' }),
    completedAt: timeSchema.nullable(),
    blanked: z
      .record(z.string(), z.int())
      .meta({ description: 'How many rows were blanked so far, by kind.' }),
    providersHoldingData: z
      .array(
        z.object({
          connectionId: z.string(),
          provider: z.enum(PAYMENT_PROVIDERS),
          references: z
            .array(z.object({ kind: z.string(), reference: z.string() }))
            .meta({ description: 'The provider’s own ids of the customer and of what it bought.' }),
        }),
      )
      .meta({ description: 'Where data of the customer still is: erase it there, too.' }),
  })
  .meta({ id: 'Erasure' });

export type ErasureResource = z.output<typeof erasureSchema>;

/** What the refusal of a customer that has something open says beside the rest. */
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
