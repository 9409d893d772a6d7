import { z } from 'zod';
import { DENIAL_CODES } from '../domain/access';
import { deductionSchema } from './deduction-resource';
import { namedPlanSchema } from '../schemas/plan';
import { ENFORCEMENTS } from '../domain/access-types';

/** The members that the answers of check and track share. */
const members = {
  decisionId: z.string().meta({ example: 'dec_01jf2k7p3nfqvb9x4z6t8w2s5r' }),
  externalId: z.string().meta({ example: 'demo_acme' }),
  feature: z.string().meta({ example: 'ai_tokens' }),
  quantity: z.number().meta({ example: 500 }),
  entity: z
    .object({
      id: z.string(),
      usage: z.number(),
      quota: z.number().nullable().meta({ description: 'Null if the entity has no quota of its own.' }),
      remaining: z.number().nullable(),
      reserved: z.number(),
    })
    .optional()
    .meta({
      description:
        'If the request names an entity: its usage and its remaining units. If only entities have quotas, the other balances are the entity’s too.',
    }),
  usage: z.number().meta({
    description:
      'Units used in the usage period (of a track: that of its `timestamp`), across all subscriptions that grant the feature.',
  }),
  quota: z
    .number()
    .nullable()
    .meta({ description: 'Units per period; null if unlimited, and for a boolean feature.' }),
  remaining: z.number().nullable(),
  unlimited: z.boolean(),
  rollover: z.number().meta({
    description: 'Unused units carried over from earlier usage periods; included in `remaining`.',
  }),
  reserved: z.number().meta({
    description: 'Units held by reservations; not included in `remaining` and `creditBalance`.',
  }),
  enforcement: z.enum(ENFORCEMENTS).nullable(),
  creditBalance: z.number().meta({ description: 'Credits of the customer that have not expired.' }),
  overage: z
    .object({ allowed: z.boolean(), quantity: z.number() })
    .meta({ description: '`quantity`: the part of this call not covered by quota and credits.' }),
  period: z
    .object({ start: z.iso.datetime(), end: z.iso.datetime().nullable() })
    .nullable()
    .meta({ description: 'The usage period; `end` is null if the quota never resets.' }),
  plan: namedPlanSchema.nullable(),
  subscriptionId: z.string().nullable(),
};

const reasonSchema = z.object({
  code: z.enum(DENIAL_CODES),
  message: z.string().meta({ description: 'Safe to show to the customer.' }),
});

/** The answer of check, with the balances before the work. */
export const checkSchema = z
  .object({
    status: z.enum(['access_granted', 'access_denied']),
    allowed: z.boolean(),
    reason: reasonSchema.nullable(),
    reservationId: z
      .string()
      .optional()
      .meta({ description: 'Present if `reserve` was requested and granted; pass it to track.' }),
    reservationExpiresAt: z.iso.datetime().optional(),
    ...members,
  })
  .meta({ id: 'UsageCheck' });

/** The answer of a granted track, with the balances after it. */
export const trackSchema = z
  .object({
    status: z.literal('access_granted'),
    recorded: z.literal(true),
    eventId: z.string(),
    ...members,
    source: z.string(),
    deductions: z.array(deductionSchema),
    timestamp: z.iso
      .datetime()
      .meta({ description: 'When it was used; it counts in the usage period of that time.' }),
    late: z.boolean().meta({
      description: 'Whether it was reported after its usage period and the grace were over.',
    }),
    recordedAt: z.iso.datetime(),
  })
  .meta({ id: 'UsageTrack' });
