import type { DbTransaction } from '../../db/pools';
import { HOUR_MS, type Instant } from '../../domain/instant';
import { displayPlan } from '../../domain/display-text';
import { nextApprovalPollAt, withDropped, type ApprovalRequest } from '../../domain/provider-work';
import type { WorkspaceScope } from '../../tenancy/actor';
import type { BilledSubscription } from '../billed-subscription';
import { saveBilledSubscription } from '../save-subscription-store';
import type { DueStep } from '../subscription-steps';
import { recordProviderSyncEvent } from './provider-sync-event';
import { refreshFromProvider } from './refresh-from-provider';
import type { Attempt, ProviderSide } from './resolve-pending-call';

/** Retry interval when the provider cannot be read at the deadline: a deadline takes effect only after a reading. */
const REREAD_MS = HOUR_MS;

/**
 * Checks whether the customer has approved, in case the webhook never arrives. A change not approved by the deadline is
 * dropped; the provider keeps it, so a later approval still counts.
 */
export async function checkApproval(
  side: ProviderSide,
  scope: WorkspaceScope,
  { subscriptionId, at }: DueStep,
  { isLast }: Attempt,
): Promise<void> {
  await refreshFromProvider(
    side,
    scope,
    { subscriptionId, at, isLast },
    async (trx, row, failure, recordedAt) => {
      const { request } = row.work;
      if (request === null || request.lookAt > at) return;
      if (at < request.expiresAt)
        await wait(trx, scope, row, request, { at, until: nextApprovalPollAt(request, at) });
      else if (failure === null) await drop(trx, scope, row, request, { at, recordedAt });
      else await wait(trx, scope, row, request, { at, until: at + REREAD_MS });
    },
  );
}

async function wait(
  trx: DbTransaction,
  scope: WorkspaceScope,
  row: BilledSubscription,
  request: ApprovalRequest,
  { at, until: lookAt }: { at: Instant; until: Instant },
): Promise<void> {
  const work = { ...row.work, request: { ...request, lookAt } };
  await saveBilledSubscription(trx, scope, { ...row, work }, at);
}

async function drop(
  trx: DbTransaction,
  scope: WorkspaceScope,
  row: BilledSubscription,
  request: ApprovalRequest,
  times: { at: Instant; recordedAt: Instant },
): Promise<void> {
  const work = withDropped({ ...row.work, request: null }, request);
  const after = await saveBilledSubscription(trx, scope, { ...row, work }, times.at);
  const { planId, planSlug: plan, seats } = request;
  await recordProviderSyncEvent(trx, scope, after, {
    kind: 'change_request_expired',
    status: 'OK',
    message: `${after.externalId} did not approve the change to ${displayPlan(request)} in time, so the subscription stays on ${displayPlan(after)}.`,
    ...times,
    data: { to: { planId, plan, seats } },
  });
}
