import { z } from 'zod';
import { PAYMENT_PROVIDERS } from '../domain/provider';

/** The result of collecting one connection's settlements. */
const collectedSchema = z.object({
  connectionId: z.string(),
  provider: z.enum(PAYMENT_PROVIDERS).nullable(),
  status: z.enum(['collected', 'unsupported', 'failed']).meta({
    description: '`unsupported`: the provider has no list of settlements and reports each by webhook.',
  }),
  recorded: z.int().meta({ description: 'New settlements.' }),
  changed: z.int().meta({ description: 'Known settlements, updated to the provider’s state.' }),
  imported: z.int().meta({
    description: 'Payments, refunds and disputes recorded that no webhook had reported.',
  }),
  unattributed: z.int().meta({
    description: 'Lines that belong to no known customer; they remain in their settlement’s difference.',
  }),
  reason: z.string().nullable().meta({
    description:
      'Why not, as a sentence; for `collected`, why some of the payments or the disputes could not be read.',
  }),
});

export const collectionSchema = z
  .object({ data: z.array(collectedSchema) })
  .meta({ id: 'SettlementCollection' });

export type Collected = z.output<typeof collectedSchema>;
export type Collection = z.output<typeof collectionSchema>;
