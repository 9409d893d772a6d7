import type { DbTransaction } from '../../db/pools';
import { DAY_MS, type Instant } from '../../domain/instant';
import { displayPlan } from '../../domain/display-text';
import { reconcileFacts } from '../../domain/provider-reconciliation';
import {
  nextApprovalPollAt,
  withDropped,
  type ApprovalRequest,
  type ProviderIntent,
  type RequestedTerms,
} from '../../domain/provider-work';
import type { AcceptedOutcome, OperationContext, OperationOutcome } from '../operation-handler';
import type { SubscriptionFacts } from '../../providers/canonical-event';
import { readSettings } from '../../settings/settings-store';
import type { BilledSubscription } from '../billed-subscription';
import { termsOf, saveCommandOutcome } from './save-command-outcome';

/**
 * Records a change request. The subscription stays unchanged until the customer approves; a provider without an
 * approval step confirms at once.
 */
export async function requestChange(
  trx: DbTransaction,
  context: OperationContext,
  before: BilledSubscription,
  { direction, to }: Extract<ProviderIntent, { kind: 'request_change' }>,
  outcome: AcceptedOutcome,
): Promise<OperationOutcome> {
  const { now, actor } = context;
  const { approvalDays } = await readSettings(trx, actor.scope);
  const approvalUrl = outcome.kind === 'customer_action' ? (outcome.approvalUrl ?? null) : null;
  const waiting = awaiting(to, approvalUrl, now, approvalDays);
  const { request: replaced } = before.work;
  const work = { ...before.work, request: waiting };
  const requested = { ...before, work: replaced === null ? work : withDropped(work, replaced) };
  const next = 'value' in outcome ? withFacts(requested, outcome.value, now) : requested;
  const target = displayPlan(to);
  return saveCommandOutcome(trx, context, before, next, {
    to,
    effect: {
      kind: 'change_requested',
      // A provider without an approval step has agreed already.
      ...(next.work.request === null && { announcedAs: `${direction}_scheduled` as const }),
      message:
        next.work.request === null
          ? `${before.externalId} changes from ${displayPlan(before)} to ${target} with the next renewal.`
          : `${before.externalId} is asked to approve the change from ${displayPlan(before)} to ${target}.`,
      data: {
        direction,
        from: termsOf(before),
        to: termsOf(to),
        approvalExpiresAt: new Date(waiting.expiresAt).toISOString(),
      },
    },
    answer: {
      effective: 'after_confirmation',
      effectiveAt: next.currentPeriodEnd,
      requiresCustomerAction: approvalUrl !== null && next.work.request !== null,
      approvalUrl,
    },
  });
}

function awaiting(
  to: RequestedTerms,
  approvalUrl: string | null,
  now: Instant,
  approvalDays: number,
): ApprovalRequest {
  const request = {
    ...to,
    requestedAt: now,
    approvalUrl,
    expiresAt: now + approvalDays * DAY_MS,
    lookAt: now,
  };
  return { ...request, lookAt: nextApprovalPollAt(request, now) };
}

/** Returns the subscription with the provider's facts applied. */
export function withFacts(
  subscription: BilledSubscription,
  facts: SubscriptionFacts,
  now: Instant,
): BilledSubscription {
  return reconcileFacts(subscription, facts, { now, failedAt: null }).view;
}
