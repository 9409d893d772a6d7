import { z } from 'zod';
import { completeListSchema } from '../pagination/complete-list';
import { checkSchema } from '../usage/usage-answer-schema';

/** A feature, and what a check of one unit would answer now. */
const customerEntitlementSchema = checkSchema
  .omit({ status: true, decisionId: true, externalId: true, quantity: true })
  .extend({ name: z.string(), kind: z.enum(['metered', 'boolean']) })
  .meta({ id: 'CustomerEntitlement' });

export const customerEntitlementsSchema = completeListSchema(customerEntitlementSchema);
