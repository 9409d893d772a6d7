import { z } from 'zod';
import { BOUNDARY_KINDS } from '../../sandbox-clock/boundaries';
import type { ClockReading } from '../../sandbox-clock/sandbox-clock-service';
import { instantInput, timeSchema, toTime } from '../../schemas/instant';
import type { Services } from '../../service/services';
import type { Route } from '../route';
import { workspaceRoute } from '../workspace-route';

const tag = 'Sandbox clock';
const path = '/api/sandbox/clock';

const reading = {
  now: timeSchema.meta({ description: 'The sandbox’s time.' }),
  offsetMs: z.int().meta({ description: 'How far the clock is ahead of real time, in milliseconds.' }),
};
const clockSchema = z.object(reading).meta({ id: 'SandboxClock' });
const advancedSchema = z
  .object({
    ...reading,
    fired: z
      .array(
        z.object({
          subscriptionId: z.string(),
          boundary: timeSchema,
          what: z.enum(BOUNDARY_KINDS),
        }),
      )
      .meta({
        description:
          'The steps between the old and the new time, earliest first, assuming that nothing is paid; at most 1,000.',
      }),
    firedMore: z.boolean().meta({ description: 'Whether there are more than listed.' }),
    untold: z.array(z.string()).meta({
      description:
        'Subscriptions whose simulated provider renewed before it had received a scheduled change or a command without an outcome. Empty without simulators.',
    }),
  })
  .meta({ id: 'SandboxClockAdvance' });

/** The sandbox's own clock, which only moves forward. */
export function sandboxClockRoutes({ sandboxClock }: Services): Route[] {
  const read = workspaceRoute({
    method: 'get',
    path,
    operationId: 'getSandboxClock',
    summary: 'The sandbox’s time',
    tag,
    access: 'operator',
    role: 'viewer',
    responses: { 200: { description: 'The clock.', schema: clockSchema } },
    errors: ['sandbox_only'],
    answer: async (actor) => toReading(await sandboxClock.read(actor)),
  });

  const advance = workspaceRoute({
    method: 'post',
    path,
    operationId: 'advanceSandboxClock',
    summary: 'Advance the sandbox’s time',
    description:
      'Advances to a time, or with `next_boundary` to the next step: the end of a billing period or trial, a payment that becomes past due, an expiry. The clock never moves back. One advance to a time may cause at most 10,000 steps, steps still to catch up on included. Usage periods, access, trials and renewals follow the clock; webhook signatures use real time.',
    tag,
    access: 'operator',
    role: 'developer',
    body: z.union(
      [z.strictObject({ to: instantInput }), z.strictObject({ by: z.literal('next_boundary') })],
      {
        error: 'is neither {"to": time} nor {"by": "next_boundary"}',
      },
    ),
    responses: { 200: { description: 'The clock and the steps on the way.', schema: advancedSchema } },
    errors: ['sandbox_only', 'clock_backwards', 'clock_no_boundary', 'clock_too_many_steps'],
    answer: async (actor, { body }) => {
      const {
        fired,
        firedMore,
        awaitingProviderCalls: untold,
        ...clock
      } = await sandboxClock.advance(actor, body);
      const boundaries = fired.map((one) => ({ ...one, boundary: toTime(one.boundary) }));
      return { ...toReading(clock), fired: boundaries, firedMore, untold };
    },
  });

  return [read, advance];
}

function toReading({ now, offsetMs }: ClockReading): { now: string; offsetMs: number } {
  return { now: toTime(now), offsetMs };
}
