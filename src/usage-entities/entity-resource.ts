import { z } from 'zod';
import { timeSchema, toTime } from '../schemas/instant';
import { externalId, identifier } from '../schemas/text';
import { entityInput } from '../usage/usage-question';
import type { CustomerEntityRow } from './entity-row-store';

/** One of a customer's users, projects or the like. */
export const entitySchema = z
  .object({
    entity: z.string().meta({ description: 'The integrator’s own id.', example: 'user_17' }),
    customerId: z.string(),
    createdAt: timeSchema.meta({ description: 'When it was first used or reserved for.' }),
  })
  .meta({ id: 'CustomerEntity' });

export type EntityResource = z.output<typeof entitySchema>;

/** The path of an entity as operators name it, and as keys do. */
export const entityParams = z.strictObject({ id: identifier, entity: entityInput });
export const entityOfExternalIdParams = z.strictObject({ externalId, entity: entityInput });

export function toEntityResource({ entity, customerId, createdAt }: CustomerEntityRow): EntityResource {
  return { entity, customerId, createdAt: toTime(createdAt) };
}
