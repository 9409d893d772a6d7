import { z } from 'zod';
import { timeSchema, toTime } from '../schemas/instant';
import { externalId, identifier } from '../schemas/text';
import { entityInput } from '../usage/usage-question';
import type { CustomerEntityRow } from './entity-row-store';

/** One of a customer's users, projects or similar. */
export const entitySchema = z
  .object({
    entity: z.string().meta({ description: 'The integrator’s own id.', example: 'user_17' }),
    customerId: z.string(),
    createdAt: timeSchema.meta({ description: 'When it was first used or reserved for.' }),
  })
  .meta({ id: 'CustomerEntity' });

export type EntityResource = z.output<typeof entitySchema>;

/** Path of an entity, by the customer's id for operators, and by its external id for API keys. */
export const entityParams = z.strictObject({ id: identifier, entity: entityInput });
export const entityOfExternalIdParams = z.strictObject({ externalId, entity: entityInput });

export function toEntityResource({ entity, customerId, createdAt }: CustomerEntityRow): EntityResource {
  return { entity, customerId, createdAt: toTime(createdAt) };
}
