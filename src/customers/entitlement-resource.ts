import { z } from 'zod';
import { completeListSchema } from '../pagination/complete-list';
import { checkSchema } from '../usage/usage-answer-schema';
import { entityInput } from '../usage/usage-question';

/** A feature, and what a check of one unit would answer now. */
const customerEntitlementSchema = checkSchema
  .omit({ status: true, decisionId: true, externalId: true, quantity: true })
  .extend({ name: z.string(), kind: z.enum(['metered', 'boolean']) })
  .meta({ id: 'CustomerEntitlement' });

/** Of which of the customer's entities; left out, of none. */
export const customerEntitlementsQuery = z.strictObject({ entity: entityInput.optional() });

export const customerEntitlementsSchema = completeListSchema(customerEntitlementSchema);
