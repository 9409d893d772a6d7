import { z } from 'zod';
import { completeListSchema } from '../pagination/complete-list';
import { checkSchema } from '../usage/usage-answer-schema';
import { entityInput } from '../usage/usage-question';

/** A feature, and the current answer to a check of one unit. */
const customerEntitlementSchema = checkSchema
  .omit({ status: true, decisionId: true, externalId: true, quantity: true })
  .extend({ name: z.string(), kind: z.enum(['metered', 'boolean']) })
  .meta({ id: 'CustomerEntitlement' });

/** The customer's entity to check; omitted: none. */
export const customerEntitlementsQuery = z.strictObject({ entity: entityInput.optional() });

export const customerEntitlementsSchema = completeListSchema(customerEntitlementSchema);
