import type { DbTransaction } from '../../db/pools';
import { RESUME_REFUSED, REACTIVATE_FIRST, SUSPENDED } from '../../domain/capabilities';
import { displayPlan } from '../../domain/display-text';
import type { Instant } from '../../domain/instant';
import { hasTakenEffect } from '../../domain/provider-calls';
import { ENDED_AT_PROVIDER } from '../../domain/provider-refused';
import { retryPendingCallAt, type ProviderIntent, type PendingCall } from '../../domain/provider-work';
import type { OperationContext, OperationOutcome, RepairHandler } from '../operation-handler';
import { markRefused } from '../../operations/conclude-operation-store';
import { toOperationProblem } from '../../operations/operation-problem';
import type { SubscriptionFacts } from '../../providers/canonical-event';
import type { Outcome } from '../../providers/outcome';
import type { BilledSubscription } from '../billed-subscription';
import { saveBilledSubscription } from '../save-subscription-store';
import { applyIntent, applyRenewalIntent } from './apply-intent';
import { recordProviderSyncEvent } from './provider-sync-event';
import { refusalOfOutcome } from './refusal-of-outcome';
import { completeOperation } from '../../operations/complete-operation';

/** Result of a command. `pending`: its outcome is unknown, so it is retried. */
export interface CommandResolution {
  kind: 'applied' | 'pending' | 'refused';
  subscription: BilledSubscription;
}

/**
 * Writes the outcome of a command's calls in the open transaction: the subscription, its history and the command's
 * response. What the provider has done counts, even if the local row has changed since.
 *
 * @param subscription its row is locked
 */
export async function resolveCommand(
  trx: DbTransaction,
  context: OperationContext,
  subscription: BilledSubscription,
  { call, outcome }: { call: PendingCall; outcome: Outcome<SubscriptionFacts> },
  repair: RepairHandler,
): Promise<CommandResolution> {
  const { actor, now, operation, recordedAt } = context;
  const { scope } = actor;
  const { intent } = call;
  const withoutPendingCall = { ...subscription, work: { ...subscription.work, unsettled: null } };
  if (isInDoubt(intent, outcome)) {
    const tries = call.tries + 1;
    const again = { ...call, tries, retryAt: retryPendingCallAt(tries, now) };
    const work = { ...subscription.work, unsettled: again };
    const waiting = await saveBilledSubscription(trx, scope, { ...subscription, work }, now);
    return { kind: 'pending', subscription: waiting };
  }
  const conclude = async (applied: OperationOutcome): Promise<CommandResolution> => {
    await completeOperation(trx, scope, operation, applied, recordedAt);
    return { kind: 'applied', subscription: applied.subscription };
  };
  if (outcome.kind === 'declined' || outcome.kind === 'unsupported') {
    // A refusal does not undo what the provider has reported since; the report itself recorded no event.
    if (hasTakenEffect(intent, withoutPendingCall))
      return conclude(await applyRenewalIntent(trx, context, withoutPendingCall, withoutPendingCall, intent));
    const refused = withRevealed(withoutPendingCall, outcome, now);
    const after = await saveBilledSubscription(trx, scope, refused, now);
    const refusal = refusalOfOutcome(after, intent, outcome, now);
    await markRefused(trx, scope, operation.id, toOperationProblem(refusal), recordedAt);
    if ('to' in intent) {
      await recordProviderSyncEvent(trx, scope, after, {
        kind: 'change_refused',
        message: `${after.externalId}'s change to ${displayPlan(intent.to)} was refused: ${refusal.detail}`,
        at: now,
        recordedAt,
        data: {
          operationId: operation.id,
          code: refusal.code,
          ...('code' in outcome && { providerCode: outcome.code }),
        },
      });
    }
    return { kind: 'refused', subscription: after };
  }
  if (outcome.kind === 'unknown') throw new Error('An unknown outcome cannot be applied.');
  return conclude(await applyIntent(trx, context, withoutPendingCall, { intent, outcome }, repair));
}

/**
 * Returns whether the effect is still unconfirmed. If the provider has accepted a change but does not show it yet, only
 * a change that awaits its customer's approval anyway counts as confirmed.
 */
export function isInDoubt(intent: ProviderIntent, outcome: Outcome<SubscriptionFacts>): boolean {
  return outcome.kind === 'unknown' || (outcome.kind === 'pending' && intent.kind !== 'request_change');
}

const CODES_OF_UNREAD_CHANGES: ReadonlySet<string> = new Set([
  ENDED_AT_PROVIDER,
  REACTIVATE_FIRST.reasonCode,
  SUSPENDED.reasonCode,
]);

/**
 * Whether the provider refused because the subscription has ended, was cancelled or has its payments suspended there,
 * which is not known here.
 */
function revealsUnreadChange(outcome: Outcome<SubscriptionFacts>): boolean {
  return outcome.kind === 'declined' && CODES_OF_UNREAD_CHANGES.has(outcome.code);
}

/**
 * Records what a refusal reveals. A change that is not known here is read at once, because its webhook may be lost; that
 * a renewal is not resumed is shown before it is requested again.
 */
function withRevealed(
  subscription: BilledSubscription,
  outcome: Outcome<SubscriptionFacts>,
  now: Instant,
): BilledSubscription {
  const { work } = subscription;
  if (revealsUnreadChange(outcome)) return { ...subscription, work: { ...work, lookAgainAt: now } };
  if (outcome.kind !== 'declined' || outcome.code !== RESUME_REFUSED.reasonCode) return subscription;
  return { ...subscription, work: { ...work, resumeRefused: true } };
}
