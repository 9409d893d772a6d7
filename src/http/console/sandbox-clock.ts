import { z } from 'zod';
import { BOUNDARY_KINDS } from '../../sandbox-clock/boundaries';
import type { ClockReading } from '../../sandbox-clock/sandbox-clock';
import { instantInput, timeSchema, toTime } from '../../schemas/instant';
import type { Services } from '../../service/services';
import type { Route } from '../route';
import { workspaceRoute } from '../workspace-route';

const tag = 'Sandbox clock';
const path = '/api/sandbox/clock';

const reading = {
  now: timeSchema.meta({ description: 'The sandbox’s time.' }),
  offsetMs: z.int().meta({ description: 'How far it is ahead of real time, in milliseconds.' }),
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
          'The boundaries that lay on the way, the earliest first, as if nothing were paid meanwhile; at most 1,000.',
      }),
    firedMore: z.boolean().meta({ description: 'Whether there were more than are listed.' }),
    untold: z.array(z.string()).meta({
      description:
        'Subscriptions whose simulated provider went on before it could be told what was due on the way: of a change that was to come with a renewal, or of a command without an outcome. Without simulators none.',
    }),
  })
  .meta({ id: 'SandboxClockAdvance' });

/** The sandbox's own time, which only goes on. */
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
      'To an instant, or by `next_boundary` to what happens next: the end of a billing period or trial, a payment that becomes past due, an expiry. Never back, and with at most 10,000 steps to an instant (each renewal, trial’s end, past due and expiry of each subscription is one, those included that the sandbox has still to catch up on). Usage periods, access, trials and renewals follow; signatures of webhooks use real time.',
    tag,
    access: 'operator',
    role: 'developer',
    body: z.union(
      [z.strictObject({ to: instantInput }), z.strictObject({ by: z.literal('next_boundary') })],
      {
        error: 'is neither {"to": time} nor {"by": "next_boundary"}',
      },
    ),
    responses: { 200: { description: 'The clock, and what lay on the way.', schema: advancedSchema } },
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
