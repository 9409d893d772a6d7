import type { Instant } from './instant';
import { isOpen, type OperationStatus } from './operation-status';
import { PROVIDERS } from './provider';
import { hasEnded, type SubscriptionStatus } from './subscription-types';
import type { CheckoutStatus } from './checkout';
import type { RefundStatus } from './refund';

/** Resources of a customer that may still be in progress. */
export interface CustomerAffairs {
  /** `unsettled`: a call at its payment provider has no outcome yet. */
  subscriptions: readonly { id: string; status: SubscriptionStatus; unsettled: boolean }[];
  checkouts: readonly { id: string; status: CheckoutStatus }[];
  refunds: readonly { id: string; status: RefundStatus }[];
  operations: readonly { id: string; status: OperationStatus }[];
}

/** Ids of the open resources. */
export type OpenAffairs = Record<keyof CustomerAffairs, string[]>;

/**
 * Returns what keeps a customer from being erased: anything still active could sell to, or charge, an erased customer.
 *
 * @returns null if nothing is open
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

/** Returns the external id of an erased customer. */
export function pseudonymOf(customerId: string): string {
  return `erased_${customerId}`;
}

/** Whether an external id has the form of a pseudonym. No customer is created with such a name: erasures need it. */
export function isPseudonym(externalId: string): boolean {
  return externalId.startsWith(pseudonymOf('cus_'));
}

/** Replaces erased text that may not be missing. */
export const ERASED_TEXT = 'Erased.';
/** Replaces an erased single word that may not be missing. */
export const ERASED_WORD = 'erased';

/** Sources of usage and events that identify no person; any other is a text of the integrator. */
export const KEPT_SOURCES: readonly string[] = [
  ...['api', 'console', 'portal', 'billing', ...PROVIDERS],
  ERASED_WORD,
];

/** Members of an event's data that are kept, besides ids: figures, and words of the catalogue and of this service. */
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
 * Steps of an erasure, in order. The customer has lost its name before the first step. `wait` waits for what was in
 * progress then, so that each later step finds everything that will ever exist.
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

/**
 * Progress of an erasure. `more`: work remains, now or later; `complete`: none remains, or there is no such erasure.
 */
export type ErasureView = { kind: 'more'; at: Instant | null } | { kind: 'complete' };

/** Returns the step after a step; null after the last one. */
export function stepAfter(step: ErasureStep): ErasureStep | null {
  return ERASURE_STEPS[ERASURE_STEPS.indexOf(step) + 1] ?? null;
}
