import { z } from 'zod';
import { isRelayBehind } from '../domain/process-health';
import type { Instant } from '../domain/instant';
import { timeSchema, toTimeOrNull } from '../schemas/instant';
import { MAX_COUNTED, type Attention } from './attention-store';
import type { ProcessSigns } from './process-store';

const count = (description: string) => z.int().min(0).max(MAX_COUNTED).meta({ description });

/** What an operator on call reads first. */
export const overviewSchema = z
  .object({
    attention: z
      .object({
        pastDue: count('Subscriptions that are past due.'),
        approvals: count('Changes waiting for the customer’s approval at the payment provider.'),
        nextApprovalExpiry: timeSchema
          .nullable()
          .meta({ description: 'When the first of those approvals expires.' }),
        providerCalls: count('Subscriptions with a call to their provider whose outcome is not known.'),
        preparationsFailed: count('Subscriptions whose change could not be prepared at provider A.'),
        drift: count('Subscriptions that differed from their provider when last compared.'),
        commandsOpen: count('Commands without an outcome after a minute.'),
        webhooksFailed: count('Verified webhooks that could not be applied.'),
        webhookFailures: count('Refused or failed deliveries of the last 24 hours.'),
        refundsPending: count('Refunds waiting for their provider.'),
        planPrices: count('Connections with a plan whose price differs there.'),
        connectionTests: count('Connections whose last test failed.'),
        webhookEndpoints: count('Webhook endpoints that are failing, or were disabled because they failed.'),
        webhookEndpointId: z.string().nullable().meta({ description: 'The id of one of those.' }),
      })
      .meta({ description: `Counts; ${MAX_COUNTED} means ${MAX_COUNTED} or more.` }),
    processes: z
      .object({
        apis: z.int().meta({ description: 'Seen in the last 90 seconds.' }),
        workers: z.int().meta({ description: 'Seen in the last 90 seconds.' }),
        relay: z.enum(['running', 'behind']).meta({
          description: '`behind` when a job in the outbox has waited for a minute: no relay takes it.',
        }),
        outbox: z.int().meta({ description: 'Waiting jobs; 1,000 means 1,000 or more.' }),
        outboxSince: timeSchema
          .nullable()
          .meta({ description: 'Since when the oldest of them has been waiting.' }),
        temporal: z.enum(['reachable', 'unreachable', 'not_configured']),
      })
      .meta({ description: 'Of the whole installation.' }),
  })
  .meta({ id: 'Overview' });

type Overview = z.output<typeof overviewSchema>;

/** @param now real time */
export function toOverview(
  attention: Attention,
  { outboxSince, ...signs }: ProcessSigns,
  temporal: Overview['processes']['temporal'],
  now: Instant,
): Overview {
  const relay = isRelayBehind(outboxSince, now) ? 'behind' : 'running';
  return {
    attention: { ...attention, nextApprovalExpiry: toTimeOrNull(attention.nextApprovalExpiry) },
    processes: { ...signs, relay, outboxSince: toTimeOrNull(outboxSince), temporal },
  };
}
