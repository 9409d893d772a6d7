import type { Instant } from '../domain/instant';
import { z } from 'zod';
import { NO_WORK, type ProviderWork } from '../domain/provider-work';
import type { SyncMarker } from '../domain/synchronizer-marker';
import { CHANGE_DIRECTIONS } from '../domain/change-direction';
import { BILLING_INTERVALS, PRICINGS } from '../domain/subscription-types';

/** Metadata key of provider A's synchronizer marker, readable by operators and integrators. */
export const MARKER = 'nextCycleSync';

const terms = z.object({
  planId: z.string(),
  planSlug: z.string(),
  seats: z.number(),
  unitAmount: z.string(),
  pricing: z.enum(PRICINGS),
  interval: z.enum(BILLING_INTERVALS),
});
const requested = terms.extend({ planReference: z.string(), requestedAt: z.number() });
const direction = z.enum(CHANGE_DIRECTIONS);
const intent = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('cancel') }),
  z.object({ kind: z.literal('reactivate') }),
  z.object({ kind: z.literal('withdraw') }),
  z.object({ kind: z.literal('change_now'), direction, to: requested }),
  z.object({ kind: z.literal('request_change'), direction, to: requested }),
  z.object({ kind: z.literal('repair'), take: z.enum(['provider', 'local']) }),
]);
const call = z.discriminatedUnion('action', [
  z.object({
    action: z.literal('change'),
    planReference: z.string(),
    quantity: z.number(),
    proration: z.enum(['invoice_now', 'none']),
    keepsPrice: z.boolean().optional(),
    unitAmount: z.string().optional(),
    supersedes: z.string().optional(),
    alsoSupersedes: z.array(z.string()).optional(),
    formerReferences: z.array(z.string()).optional(),
  }),
  z.object({ action: z.literal('cancel') }),
  z.object({ action: z.literal('reactivate') }),
]);

const workSchema = z.object({
  unsettled: z
    .object({
      operationId: z.string(),
      intent,
      calls: z.array(call),
      key: z.string(),
      since: z.number(),
      tries: z.number(),
      retryAt: z.number(),
      secretVersion: z.number().optional(),
      sent: z.boolean().optional(),
    })
    .nullable()
    .default(null),
  request: requested
    .extend({ approvalUrl: z.string().nullable(), lookAt: z.number(), expiresAt: z.number() })
    .nullable()
    .default(null),
  confirmed: requested
    .pick({ planId: true, seats: true, planReference: true })
    .extend({ unitAmount: z.string().optional() })
    .nullable()
    .default(null),
  dropped: z.array(requested).default([]),
  lookAgainAt: z.number().nullable().default(null),
  looks: z.number().default(0),
  pastDueReadAt: z.number().nullable().default(null),
  returnedAt: z.number().nullable().default(null),
  resumeRefused: z.literal(true).optional(),
});

const instant = z.iso.datetime().transform((time) => Date.parse(time));
const markerSchema = z
  .object({
    state: z.enum(['claimed', 'prepared', 'failed']),
    planId: z.string(),
    plan: z.string(),
    seats: z.number(),
    planReference: z.string(),
    boundary: instant,
    attempts: z.number(),
    told: z.boolean().optional(),
    sentAt: z.array(instant).optional(),
    ownReference: z.string().optional(),
    unitAmount: z.string().optional(),
    late: z.boolean().optional(),
    at: instant,
    reason: z.string().nullable(),
    retryAt: instant.nullable(),
  })
  // If `told` is missing, every attempt may have reached the provider.
  .transform(({ told, ...marker }): SyncMarker => ({ ...marker, told: told ?? marker.attempts > 0 }));

/** Reads the pending work at the provider from a row's columns. Local billing and new rows have null. */
export function readProviderWork(column: unknown, metadata: Readonly<Record<string, unknown>>): ProviderWork {
  if (column === null) return NO_WORK;
  const marker = markerSchema.safeParse(metadata[MARKER]);
  return { ...workSchema.parse(column), sync: marker.success ? marker.data : null };
}

/** Serializes the work as JSON text; the marker is stored in the metadata instead. */
export function providerWorkColumn(work: ProviderWork): string {
  return JSON.stringify({ ...work, sync: undefined });
}

/** Returns the subscription's labels with the synchronizer's marker added. */
export function metadataColumn(
  metadata: Readonly<Record<string, unknown>>,
  sync: SyncMarker | null,
): Record<string, unknown> {
  const labels = Object.fromEntries(Object.entries(metadata).filter(([label]) => label !== MARKER));
  if (sync === null) return labels;
  const time = (at: Instant): string => new Date(at).toISOString();
  const { boundary, sentAt, at, retryAt } = sync;
  const marker = {
    ...sync,
    boundary: time(boundary),
    sentAt: sentAt?.map(time),
    at: time(at),
    retryAt: retryAt === null ? null : time(retryAt),
  };
  return { ...labels, [MARKER]: marker };
}
