import { z } from 'zod';
import { DENIAL_CODES } from '../../domain/access';
import type { ErrorCode } from '../../domain/errors';
import type { Claim } from '../../idempotency/idempotency-store';
import { fingerprintOf } from '../../idempotency/idempotency-key';
import { instantInput } from '../../schemas/instant';
import { externalId, line } from '../../schemas/text';
import { eventProperties } from '../../usage/event-properties';
import type { UsageCall } from '../../usage/usage-call';
import { usageQuestion } from '../../usage/usage-question';
import { ORDINARY_BODY } from '../body-limit';

/*
 * The input of a track, sent alone or as an event of a batch: one schema, one limit, one fingerprint. A member added
 * here is accepted by both.
 */

/** The body of `POST /v1/usage/track`, and an event of a batch without its key. */
export const trackBody = z
  .strictObject({
    externalId,
    ...usageQuestion.shape,
    source: line({ min: 1, max: 100 })
      .optional()
      .meta({ description: 'Origin of the usage; `api` when left out.', example: 'worker-eu-1' }),
    timestamp: instantInput.optional().meta({
      description:
        'When it was used; default: now. It counts in the usage period of that time. It may lie as far back as the setting `usageReportedDays` allows, and at most 5 minutes ahead. A time up to 5 minutes before the subscription’s start counts as its start, and one that lies ahead, after its end, as now.',
    }),
    properties: eventProperties.optional(),
    reservationId: line({ min: 1, max: 100 })
      .optional()
      .meta({ description: 'The reservation made by the check; the usage takes the units that it holds.' }),
  })
  .meta({ id: 'UsageTrackRequest' });

type TrackBody = z.output<typeof trackBody>;

/** Size limit of one track. */
export const TRACK_LIMIT = ORDINARY_BODY;

/** Errors of a track other than those of its body. */
export const TRACK_REFUSALS: readonly ErrorCode[] = [
  'customer_not_found',
  'feature_not_found',
  'feature_not_metered',
  ...DENIAL_CODES,
  'timestamp_out_of_range',
  'reservation_not_found',
  'reservation_ended',
  'reservation_of_other_feature',
  'reservation_of_other_entity',
  'idempotency_key_reused',
  'idempotency_key_in_use',
  'service_busy',
  'service_unavailable',
];

export const TRACK_ROUTE = { method: 'post', path: '/v1/usage/track' } as const;

/** Builds the claim that the route layer makes for a track sent alone. */
export function trackClaim(key: string, body: TrackBody): Claim {
  return {
    key,
    fingerprint: fingerprintOf(TRACK_ROUTE.method, TRACK_ROUTE.path, undefined, undefined, body),
  };
}

/** Builds the call of a track. */
export function trackCall(body: TrackBody, claim: UsageCall['claim'], requestId: string): UsageCall {
  const { externalId, feature, quantity, entity, timestamp, properties, source, reservationId } = body;
  return {
    operation: 'track',
    externalId,
    feature,
    quantity,
    entity: entity ?? null,
    source: source ?? 'api',
    timestamp: timestamp ?? null,
    properties: properties === undefined ? null : JSON.stringify(properties),
    reserve: null,
    reservationId: reservationId ?? null,
    claim,
    requestId,
  };
}
