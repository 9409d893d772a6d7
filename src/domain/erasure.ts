import type { Instant } from './instant';
import { isOpen, type OperationStatus } from './operation-status';
import { hasEnded, type SubscriptionStatus } from './subscription-types';

/** What of a customer may still be under way. */
export interface CustomerAffairs {
  /** `unsettled`: a call at its payment provider has no outcome yet. */
  subscriptions: readonly { id: string; status: SubscriptionStatus; unsettled: boolean }[];
  checkouts: readonly { id: string; status: 'open' | 'complete' | 'expired' }[];
  refunds: readonly { id: string; status: 'pending' | 'succeeded' | 'failed' }[];
  operations: readonly { id: string; status: OperationStatus }[];
}

/** The ids of what is open. */
export type OpenAffairs = Record<keyof CustomerAffairs, string[]>;

/**
 * What keeps a customer from being erased: whatever goes on by itself would sell to, or charge, someone who is gone.
 *
 * @returns null where nothing is open
 */
export function openAffairs(affairs: CustomerAffairs): OpenAffairs | null {
  const open = {
    subscriptions: idsOf(affairs.subscriptions, ({ status, unsettled }) => unsettled || !hasEnded(status)),
    checkouts: idsOf(affairs.checkouts, ({ status }) => status === 'open'),
    refunds: idsOf(affairs.refunds, ({ status }) => status === 'pending'),
    operations: idsOf(affairs.operations, ({ status }) => isOpen(status)),
  };
  return Object.values(open).every((ids) => ids.length === 0) ? null : open;
}

function idsOf<Row extends { id: string }>(rows: readonly Row[], isOpenRow: (row: Row) => boolean): string[] {
  return rows.filter(isOpenRow).map(({ id }) => id);
}

/** The external id of an erased customer. */
export function pseudonymOf(customerId: string): string {
  return `erased_${customerId}`;
}

/** What stands in the place of text that was erased and may not be missing. */
export const ERASED_TEXT = 'Erased.';
/** The same where a single word stands. */
export const ERASED_WORD = 'erased';

/** The sources of usage and events that name no one; any other is a text of the integrator. */
export const KEPT_SOURCES: readonly string[] = [
  ...['api', 'console', 'portal', 'billing', 'internal', 'provider_a', 'provider_b', 'provider_c'],
  ERASED_WORD,
];

/** The members of an event's data that stay, beside ids: figures, and words of the catalogue and of this service. */
export const KEPT_EVENT_MEMBERS: readonly string[] = [
  ...['operation', 'rule', 'feature', 'quantity', 'usage', 'quota', 'remaining', 'unlimited', 'enforcement'],
  ...[
    'creditBalance',
    'reserved',
    'rollover',
    'overage',
    'period',
    'plan',
    'seats',
    'amount',
    'currency',
    'percent',
    'resetInterval',
    'granted',
    'total',
    'status',
    'change',
  ],
  ...['currentPeriodStart', 'currentPeriodEnd', 'refundKind', 'refundStatus', 'eventType', 'webhookStatus'],
];

/**
 * The steps of an erasure, in their order. The customer has lost its name before the first; what was under way then is
 * waited for, so that each of the others finds all there will ever be.
 */
export const ERASURE_STEPS = [
  'wait',
  'records',
  'usage',
  'events',
  'billing_events',
  'operations',
  'answers',
  'messages',
  'webhooks',
  'audit',
] as const;
export type ErasureStep = (typeof ERASURE_STEPS)[number];

/** How far an erasure is: there is more to do, at once or later; or nothing, also where there is no such erasure. */
export type ErasureView = { kind: 'more'; at: Instant | null } | { kind: 'complete' };

/** What comes after a step; null after the last one. */
export function stepAfter(step: ErasureStep): ErasureStep | null {
  return ERASURE_STEPS[ERASURE_STEPS.indexOf(step) + 1] ?? null;
}
