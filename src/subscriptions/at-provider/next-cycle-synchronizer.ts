import { inWorkspace } from '../../db/workspace-transaction';
import { isTollgateError } from '../../domain/errors';
import { pricesOfRenewal, referenceToSend } from '../../domain/kept-price';
import { nextWake } from '../../domain/lifecycle';
import { displayPlan } from '../../domain/display-text';
import { preparingCall } from '../../domain/provider-calls';
import { quantityAtProvider } from '../../domain/provider-quantity';
import type { SubscriptionFacts } from '../../providers/canonical-event';
import type { Outcome } from '../../providers/outcome';
import type { WorkspaceScope } from '../../tenancy/actor';
import type { BilledSubscription } from '../billed-subscription';
import { findBilledSubscription } from '../billed-subscription-store';
import { saveBilledSubscription } from '../save-subscription-store';
import type { DueStep } from '../subscription-steps';
import { callProvider } from './call-provider';
import { UnknownOutcomeError } from './unknown-outcome-error';
import { referenceOfPlan } from '../plan-at-provider';
import { recordProviderSyncEvent } from './provider-sync-event';
import type { Attempt, ProviderSide } from './resolve-pending-call';
import {
  keyOfPreparation,
  sendingMarker,
  stepsInDoubt,
  type SyncMarker,
} from '../../domain/synchronizer-marker';
import { LATE, markerAfter, OVERTAKEN, RENEWED } from './preparation-outcome';

interface Claimed {
  subscription: BilledSubscription;
  marker: SyncMarker;
  /** What an earlier attempt may have sent; null if none has sent anything. */
  sentBefore: string | null;
  /** Whether the plan has a reference at the provider. */
  isMapped: boolean;
}

/**
 * Prepares a scheduled change at provider A in two phases: one transaction claims the change, the price is updated at
 * the provider without proration, and another transaction sets the marker to `prepared`. A `claimed` change may already
 * have been sent. It is sent again, which is safe because the call states the target. After a few tries the marker is
 * `failed` with the reason, the next try is an hour later, or sooner near the renewal (`failedMarker`), and the
 * subscription accepts other commands.
 */
export async function prepareChange(
  side: ProviderSide,
  scope: WorkspaceScope,
  due: DueStep,
  { isLast }: Attempt,
): Promise<void> {
  const claimed = await claim(side, scope, due);
  if (claimed === null) return;
  const outcome = await sendChange(side, scope, claimed);
  if (outcome.kind === 'unknown' && !isLast) throw new UnknownOutcomeError(outcome.reason);
  await conclude(side, scope, claimed, outcome, due);
}

async function claim(side: ProviderSide, scope: WorkspaceScope, due: DueStep): Promise<Claimed | null> {
  const { subscriptionId, at } = due;
  return inWorkspace(side.database, scope, 'SYSTEM', async (trx) => {
    const row = await findBilledSubscription(trx, scope, subscriptionId, 'lock');
    const wake = row && nextWake(row, at);
    if (wake?.kind !== 'due' || wake.step !== 'prepare_change' || !row?.scheduled) return null;
    const { planId, planSlug: plan, seats } = row.scheduled;
    const named = await referenceOrNone(trx, scope, row, planId);
    const { sync } = row.work;
    const sentBefore = sync?.told === true ? sync.planReference : null;
    const marker: SyncMarker = {
      state: 'claimed',
      planId,
      plan,
      seats,
      planReference: referenceToSend(row, row.scheduled, named),
      boundary: row.currentPeriodEnd,
      attempts: (sync?.attempts ?? 0) + 1,
      // Becomes true when something is about to be sent. An earlier try may have sent something.
      told: sentBefore !== null,
      sentAt: sync?.told === true ? stepsInDoubt(sync) : undefined,
      ownReference: sync?.ownReference,
      late: sync?.late,
      at,
      reason: null,
      retryAt: null,
    };
    const work = { ...row.work, sync: marker };
    const subscription = await saveBilledSubscription(trx, scope, { ...row, work }, at);
    return { subscription, marker, sentBefore, isMapped: named !== '' };
  });
}

/**
 * Returns the plan's reference, or '' if the plan has lost it since the change was scheduled: the preparation then
 * fails.
 */
async function referenceOrNone(...plan: Parameters<typeof referenceOfPlan>): Promise<string> {
  try {
    return await referenceOfPlan(...plan);
  } catch (error) {
    if (isTollgateError(error)) return '';
    throw error;
  }
}

async function sendChange(
  side: ProviderSide,
  scope: WorkspaceScope,
  { subscription, marker, sentBefore, isMapped }: Claimed,
): Promise<Outcome<SubscriptionFacts>> {
  const { connectionId, providerReference: reference, id, scheduled } = subscription;
  const { boundary, attempts } = marker;
  if (connectionId === null || reference === null || scheduled === null || !isMapped) {
    const reason = `The plan "${marker.plan}" has no reference at the payment provider.`;
    return { kind: 'declined', code: 'plan_not_mapped', reason };
  }
  const quantity = quantityAtProvider(scheduled);
  try {
    const provider = await side.connected.open(scope, connectionId);
    const shown = await provider.adapter.fetchSubscription(provider.access, reference);
    if (shown.kind !== 'done') return shown;
    // After a late wake, the provider must not show a price that it did not charge.
    if ((shown.value.currentPeriodEnd ?? boundary) > boundary) return RENEWED;
    const prices = pricesOfRenewal({ ...subscription, scheduled }, marker, sentBefore, shown.value);
    if (!(await recordTelling(side, scope, id, marker, prices))) return OVERTAKEN;
    const { planReference } = prices;
    const made = await callProvider(provider, {
      reference,
      calls: [preparingCall({ id, scheduled }, marker, planReference)],
      key: keyOfPreparation(id, marker),
      repeated: attempts > 1,
      reason: 'Scheduled change.',
      returnUrl: side.returnUrl(scope.environment),
    });
    if (made.kind !== 'done' || (made.value.currentPeriodEnd ?? boundary) <= boundary) return made;
    // An earlier attempt may have changed it before the renewal.
    const { planReference: before, quantity: quantityBefore } = shown.value;
    return before === planReference && quantityBefore === quantity ? made : LATE;
  } catch (error) {
    if (!isTollgateError(error)) throw error;
    return { kind: 'declined', code: error.code, reason: error.detail };
  }
}

/**
 * Records that a price is about to be sent, with the previous one while the provider still shows it, so that a crash
 * during the call loses neither.
 *
 * @returns whether the claim still stands
 */
async function recordTelling(
  { database }: ProviderSide,
  scope: WorkspaceScope,
  subscriptionId: string,
  marker: SyncMarker,
  prices: Pick<SyncMarker, 'ownReference' | 'planReference'>,
): Promise<boolean> {
  return inWorkspace(database, scope, 'SYSTEM', async (trx) => {
    const row = await findBilledSubscription(trx, scope, subscriptionId, 'lock');
    // The calls of a command that was accepted since do not revert the price.
    if (!hasClaim(row, marker) || row.work.unsettled !== null) return false;
    const sync = sendingMarker({ ...row.work.sync, ...prices }, marker.at);
    await saveBilledSubscription(trx, scope, { ...row, work: { ...row.work, sync } }, marker.at);
    return true;
  });
}

/** Whether this attempt's claim still stands: a webhook or a command may have ended it. */
function hasClaim(
  row: BilledSubscription | undefined,
  { attempts, at }: SyncMarker,
): row is BilledSubscription & { work: { sync: SyncMarker } } {
  const sync = row?.work.sync;
  return sync?.state === 'claimed' && sync.attempts === attempts && sync.at === at;
}

async function conclude(
  { database, clock }: ProviderSide,
  scope: WorkspaceScope,
  { subscription, marker, sentBefore }: Claimed,
  outcome: Outcome<SubscriptionFacts>,
  { at }: DueStep,
): Promise<void> {
  await inWorkspace(database, scope, 'SYSTEM', async (trx) => {
    const row = await findBilledSubscription(trx, scope, subscription.id, 'lock');
    if (outcome === OVERTAKEN || !hasClaim(row, marker)) return;
    const sync = markerAfter(outcome, row.work.sync, sentBefore, at);
    const after = await saveBilledSubscription(trx, scope, { ...row, work: { ...row.work, sync } }, at);
    const { state, attempts, reason } = sync;
    const change = `${after.externalId}'s change to ${displayPlan({ planSlug: marker.plan, seats: marker.seats })}`;
    await recordProviderSyncEvent(trx, scope, after, {
      ...(reason === null
        ? {
            kind: 'renewal_prepared',
            status: 'OK' as const,
            message: `${change} is prepared at the payment provider for the renewal.`,
          }
        : {
            kind: 'renewal_preparation_failed',
            message: `${change} could not be prepared at the payment provider: ${reason}`,
          }),
      at,
      recordedAt: clock.now(),
      data: { nextCycleSync: { state, attempts, reason } },
    });
  });
}
