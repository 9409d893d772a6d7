import { z } from 'zod';
import { PAYMENT_PROVIDERS } from '../domain/provider';

/** The result of collecting one connection's settlements. */
const collectedSchema = z.object({
  connectionId: z.string(),
  provider: z.enum(PAYMENT_PROVIDERS).nullable(),
  status: z.enum(['collected', 'unsupported', 'failed']).meta({
    description: '`unsupported`: the provider has no list of settlements, and tells of each by a webhook.',
  }),
  recorded: z.int().meta({ description: 'How many settlements were new.' }),
  changed: z.int().meta({ description: 'How many were known, and are now as the provider has them.' }),
  imported: z.int().meta({
    description: 'How many payments and disputes were recorded of which no webhook had told.',
  }),
  unattributed: z.int().meta({
    description: 'How many lines belong to no known customer; they stay in their settlement’s difference.',
  }),
  reason: z.string().nullable().meta({ description: 'Why not, in words.' }),
});

export const collectionSchema = z
  .object({ data: z.array(collectedSchema) })
  .meta({ id: 'SettlementCollection' });

export type Collected = z.output<typeof collectedSchema>;
export type Collection = z.output<typeof collectionSchema>;
