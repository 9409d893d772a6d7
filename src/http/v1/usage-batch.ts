import { z } from 'zod';
import type { ErrorCode } from '../../domain/errors';
import { IDEMPOTENCY_KEY, parseEventKey } from '../../idempotency/idempotency-key';
import { checkSchema, trackSchema } from '../../usage/usage-answer-schema';
import type { UsageAnswer, UsageCall } from '../../usage/usage-call';
import type { Usage } from '../../usage/submit-usage';
import { BodyBudget } from '../body-budget';
import type { BodyLimit } from '../body-limit';
import { parseInput } from '../input';
import { parseElement, type ListBody } from '../list-body';
import { bodyErrors } from '../openapi/route-errors';
import { problemSchema } from '../openapi/components';
import type { ProblemAnswer } from '../problem-answer';
import { route, type Route } from '../route';
import { Slices } from '../slices';
import { TRACK_LIMIT, TRACK_REFUSALS, trackBody, trackCall, trackClaim } from './track-input';

const MAX_EVENTS = 1_000;
const MB = 1024 * 1024;

/** Limit of a track with its key, which a track sent alone has in a header. */
const EVENT_LIMIT: BodyLimit = { bytes: TRACK_LIMIT.bytes + 1024, values: TRACK_LIMIT.values + 1 };

const eventSchema = z
  .strictObject({
    idempotencyKey: z.string().regex(IDEMPOTENCY_KEY).meta({
      description: 'As the Idempotency-Key of a track: 1 to 255 visible ASCII characters.',
      example: 'evt-2026-07-01-0001',
    }),
    ...trackBody.shape,
  })
  .meta({ id: 'UsageBatchEvent' });

/** Room for 4 KB of properties in each event, its other members, and whitespace. */
const events: ListBody = {
  member: 'events',
  most: MAX_EVENTS,
  bytes: 6 * MB,
  element: EVENT_LIMIT,
  schema: z
    .strictObject({ events: z.array(eventSchema).min(1).max(MAX_EVENTS) })
    .meta({ id: 'UsageBatchRequest' }),
};

/** Errors of an event: the same as those of a track sent alone. */
const EVENT_ERRORS: readonly ErrorCode[] = [
  ...new Set<ErrorCode>([
    ...bodyErrors,
    'idempotency_key_required',
    'idempotency_key_invalid',
    ...TRACK_REFUSALS,
    'internal_error',
  ]),
];

const resultSchema = z
  .object({
    idempotencyKey: z.string().nullable().meta({ description: 'Null if the event has no valid one.' }),
    status: z.int().meta({ description: 'The status that a track of this event alone would have returned.' }),
    replayed: z
      .boolean()
      .meta({ description: 'Whether this is the stored answer of an earlier request with the key.' }),
    retryAfter: z.int().optional().meta({ description: 'Seconds to wait before it is sent again.' }),
    answer: trackSchema.optional().meta({ description: 'If it is recorded: the answer of a track.' }),
    problem: z
      .intersection(
        problemSchema,
        z.looseObject({ code: z.enum(EVENT_ERRORS), decision: checkSchema.optional() }),
      )
      .optional()
      .meta({ description: 'If it is not recorded: the problem that a track would have returned.' }),
  })
  .meta({ id: 'UsageBatchResult' });

const batchSchema = z
  .object({
    results: z.array(resultSchema).meta({ description: 'One outcome per event, in order.' }),
  })
  .meta({ id: 'UsageBatch' });

/** A valid event, or the error found in it. */
type ReadEvent = { key: string | null } & ({ call: UsageCall } | { failure: unknown });

/** Memory for batches: ten of the largest for one workspace, and in total what a small process can spare. */
const BUDGET = { each: 64 * MB, all: 192 * MB };

/** `POST /v1/usage/batch`. */
export function usageBatchRoutes(usage: Usage): Route[] {
  const budget = new BodyBudget(BUDGET);
  return [
    route({
      method: 'post',
      path: '/v1/usage/batch',
      operationId: 'trackUsageBatch',
      summary: 'Record up to 1,000 usage events in one request',
      description:
        'Each event is decided like a single track, in order, and has its own outcome: a failed event does not affect the others. If no response arrived, send the batch again: recorded events return their stored answers, and the rest is recorded.',
      tag: 'Usage',
      access: 'apiKey',
      scopes: { anyOf: ['usage'] },
      compress: false,
      direct: true,
      listBody: events,
      example: {
        events: [
          { idempotencyKey: 'batch-example-1', externalId: 'demo_acme', feature: 'ai_tokens', quantity: 500 },
          { idempotencyKey: 'batch-example-2', externalId: 'demo_acme', feature: 'ai_tokens', quantity: 250 },
        ],
      },
      responses: { 200: { description: 'An outcome for each event.', schema: batchSchema } },
      errors: ['service_busy', 'service_unavailable'],
      handle: async ({ principal, headers, readElements, problemOf, requestId }) => {
        const { scope } = principal;
        const giveBack = budget.take(`${scope.workspaceId}|${scope.environment}`, { headers }, events.bytes);
        try {
          const read = await readEvents(await readElements(), requestId);
          const calls = read.flatMap((event) => ('call' in event ? [event.call] : []));
          const outcomes = calls.length === 0 ? [] : await usage.submitAll(scope, calls);
          return { status: 200, body: await resultsJson(read, outcomes, problemOf) };
        } finally {
          giveBack();
        }
      },
    }),
  ];
}

async function readEvents(elements: readonly Buffer[], requestId: string): Promise<ReadEvent[]> {
  const slices = new Slices();
  const read: ReadEvent[] = [];
  for (const element of elements) {
    read.push(readEvent(element, requestId));
    if (slices.isOver()) await slices.next();
  }
  return read;
}

function readEvent(element: Buffer, requestId: string): ReadEvent {
  let key: string | null = null;
  try {
    const value = parseElement(element, EVENT_LIMIT);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      // Throws the error for its actual type.
      parseInput(trackBody, value, 'body');
    }
    const { idempotencyKey, ...members } = value as Record<string, unknown>;
    const recorded = parseEventKey(idempotencyKey);
    // As sent, so that the sender can match the outcome.
    key = String(idempotencyKey);
    const body = parseInput(trackBody, members, 'body');
    return { key, call: trackCall(body, trackClaim(recorded, body), requestId) };
  } catch (failure) {
    return { key, failure };
  }
}

/** Builds the answer as text, with each stored answer embedded unchanged. */
async function resultsJson(
  read: readonly ReadEvent[],
  outcomes: readonly PromiseSettledResult<UsageAnswer>[],
  problemOf: (failure: unknown) => ProblemAnswer,
): Promise<string> {
  const slices = new Slices();
  const results: string[] = [];
  let next = 0;
  for (const event of read) {
    const outcome = 'call' in event ? outcomes[next] : undefined;
    if ('call' in event) next += 1;
    results.push(
      outcome?.status === 'fulfilled'
        ? answerJson(event.key, outcome.value)
        : problemJson(event.key, problemOf('failure' in event ? event.failure : outcome?.reason)),
    );
    if (slices.isOver()) await slices.next();
  }
  return `{"results":[${results.join(',')}]}`;
}

function answerJson(key: string | null, { body, replayed }: UsageAnswer): string {
  return `{"idempotencyKey":${JSON.stringify(key)},"status":200,"replayed":${replayed},"answer":${body}}`;
}

function problemJson(key: string | null, { status, headers, body }: ProblemAnswer): string {
  const retry = headers['Retry-After'];
  const retryAfter = retry === undefined ? '' : `"retryAfter":${retry},`;
  return `{"idempotencyKey":${JSON.stringify(key)},"status":${status},"replayed":false,${retryAfter}"problem":${body}}`;
}
