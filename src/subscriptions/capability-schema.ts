import { z } from 'zod';
import { CAPABILITY_TIMINGS } from '../domain/capabilities';

const directionTiming = z.enum(['immediate', 'next_renewal']);

const capabilitySchema = z
  .object({
    supported: z.boolean().meta({ description: 'Whether the provider supports it.' }),
    available: z.boolean().meta({ description: 'Whether it can be done now.' }),
    timing: z
      .enum(CAPABILITY_TIMINGS)
      .nullable()
      .meta({ description: 'When it takes effect; `by_direction`: see `timings`.' }),
    timings: z.object({ increase: directionTiming, decrease: directionTiming }).optional(),
    reason: z
      .string()
      .nullable()
      .meta({ description: 'Why it is not available, as a sentence for customers.' }),
    reasonCode: z.string().nullable(),
  })
  .meta({ id: 'Capability' });

/** What can be done with a subscription, now and with its provider in general. */
export const capabilitiesSchema = z
  .object({
    cancel: capabilitySchema,
    reactivate: capabilitySchema,
    planChange: capabilitySchema,
    seatChange: capabilitySchema,
  })
  .meta({ id: 'Capabilities' });
