import { z } from 'zod';
import { timeSchema, toTime } from '../schemas/instant';
import type { BilledSubscription } from './billed-subscription';
import { termsSchema, toTerms } from './terms-resource';

/** A change that awaits the customer's approval at the provider, as the API shows it. */
export const pendingApprovalSchema = termsSchema
  .extend({
    approvalUrl: z.string().nullable().meta({
      description:
        'Where the customer approves, while approval is pending; null if the provider needs no approval.',
    }),
    requestedAt: timeSchema,
    expiresAt: timeSchema.meta({ description: 'When the change is dropped if it is not approved.' }),
  })
  .meta({ id: 'PendingApproval' });

export function toPendingApproval({
  work: { request },
}: Pick<BilledSubscription, 'work'>): z.output<typeof pendingApprovalSchema> | null {
  if (request === null) return null;
  return {
    ...toTerms(request),
    approvalUrl: request.approvalUrl,
    requestedAt: toTime(request.requestedAt),
    expiresAt: toTime(request.expiresAt),
  };
}
