import { z } from 'zod';
import { timeSchema, toTime } from '../schemas/instant';
import type { BilledSubscription } from './billed-subscription';

/** A change that awaits the customer's approval at the provider, as the API shows it. */
export const pendingApprovalSchema = z
  .object({
    plan: z.object({ id: z.string(), slug: z.string() }),
    seats: z.int(),
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
    plan: { id: request.planId, slug: request.planSlug },
    seats: request.seats,
    approvalUrl: request.approvalUrl,
    requestedAt: toTime(request.requestedAt),
    expiresAt: toTime(request.expiresAt),
  };
}
