import type { Clock } from '../../clock/system-clock';
import type { Database, DbTransaction } from '../../db/pools';
import { inWorkspace, setContext, setRequest } from '../../db/workspace-transaction';
import { isTollgateError } from '../../domain/errors';
import type { Instant } from '../../domain/instant';
import { hasRenewed } from '../../domain/change-at-renewal';
import { isChargedAsPrepared } from '../../domain/provider-calls';
import { hasEnded } from '../../domain/subscription-types';
import type { PendingCall } from '../../domain/provider-work';
import { findOperation } from '../../operations/operation-store';
import type { RepairHandler } from '../operation-handler';
import type { SubscriptionFacts } from '../../providers/canonical-event';
import type { WorkspaceScope } from '../../tenancy/actor';
import type { BilledSubscription } from '../billed-subscription';
import { findBilledSubscription } from '../billed-subscription-store';
import { saveBilledSubscription } from '../save-subscription-store';
import { applyUnreadFacts } from './apply-unread-facts';
import { makePendingCall, type CallsMade, type PendingCallOptions } from './make-pending-call';
import { resolveCommand, isInDoubt, type CommandResolution } from './resolve-command';
import { UnknownOutcomeError } from './unknown-outcome-error';
import { readPayments } from './read-payments';
import type { Reconciler, ReconcileTimes } from './reconciler';
import { contextOf } from '../operation-context';

export interface ProviderSide extends PendingCallOptions {
  database: Database;
  clock: Clock;
  reconciler: Reconciler;
  repair: RepairHandler;
}

/** One attempt at a subscription's pending call. */
export interface ResolveAttempt {
  subscriptionId: string;
  /** The workspace's time. */
  at: Instant;
  /** Whether an earlier attempt may have made the calls. */
  repeated: boolean;
  /** The last attempt records an unknown outcome and schedules a retry; an earlier one throws it. */
  lastTry: boolean;
}

/** Maximum number of readings of a repair in one attempt while the row keeps changing. */
const READS = 5;

/** Commands that a provider may charge for at once. */
const CHARGES: ReadonlySet<PendingCall['intent']['kind']> = new Set(['change_now', 'repair']);

const KEEPS_CHANGING = { kind: 'unknown', reason: 'the subscription keeps changing' } as const;

/**
 * Makes a command's recorded calls, then resolves the command by their outcome. A crash in between leaves the pending
 * call, and the next attempt resumes from it. A repair sets the row to what it read, so it reads again if the row has
 * changed since: a webhook may have written something newer.
 *
 * @returns null if no call was pending
 * @throws UnknownOutcomeError if the outcome is unknown and this was not the last attempt
 */
export async function resolvePendingCall(
  side: ProviderSide,
  scope: WorkspaceScope,
  { subscriptionId, at, repeated, lastTry }: ResolveAttempt,
  reads = READS,
): Promise<CommandResolution | null> {
  const { database, clock } = side;
  const found = await inWorkspace(database, scope, 'SYSTEM', (trx) =>
    findBilledSubscription(trx, scope, subscriptionId, 'read'),
  );
  const unsettled = found?.work.unsettled ?? null;
  if (found === undefined || unsettled === null) return null;
  const made: CallsMade =
    reads > 0
      ? await makePendingCall(side, scope, found, unsettled, { at, repeated })
      : { outcome: KEEPS_CHANGING };
  const { outcome } = made;
  if (!lastTry && isInDoubt(unsettled.intent, outcome)) {
    throw new UnknownOutcomeError(
      'reason' in outcome ? outcome.reason : 'it accepted the request but does not show the result yet',
    );
  }
  const resolution = await inWorkspace(database, scope, 'SYSTEM', async (trx) => {
    const operation = await findOperation(trx, scope, unsettled.operationId);
    if (operation === undefined) throw new Error(`There is no operation ${unsettled.operationId}.`);
    await setContext(trx, scope.workspaceId, scope.environment, operation.reason);
    const locked = await findBilledSubscription(trx, scope, subscriptionId, 'lock');
    if (locked?.work.unsettled?.key !== unsettled.key) return null;
    const isStale = unsettled.intent.kind === 'repair' && locked.version !== found.version;
    if (isStale && outcome.kind !== 'unknown') return 'stale';
    await setRequest(trx, operation.requestId);
    const context = contextOf(operation, scope, at, clock.now());
    const before = await withUnreadFacts(trx, side, scope, locked, unsettled, made, context);
    const resolved = await resolveCommand(trx, context, before, locked.work.unsettled, outcome, side.repair);
    return { ...resolved, requestId: operation.requestId };
  });
  if (resolution !== 'stale') {
    if (resolution?.kind === 'applied') {
      const charges = CHARGES.has(unsettled.intent.kind);
      if (charges || mayHaveBeenCharged(found, resolution.subscription)) {
        await readCharges(side, scope, found, charges ? resolution.requestId : null);
      }
    }
    return resolution;
  }
  return resolvePendingCall(side, scope, { subscriptionId, at, repeated: true, lastTry }, reads - 1);
}

/** Applies what else the calls have brought to light, before the command's own outcome. */
async function withUnreadFacts(
  trx: DbTransaction,
  { reconciler }: ProviderSide,
  scope: WorkspaceScope,
  locked: BilledSubscription,
  unsettled: PendingCall,
  { outcome, provider }: CallsMade,
  times: ReconcileTimes,
): Promise<BilledSubscription> {
  if (provider === undefined || !('value' in outcome) || isInDoubt(unsettled.intent, outcome)) return locked;
  const before = await withoutTakingBack(trx, scope, locked, unsettled, outcome.value, times.now);
  return applyUnreadFacts(trx, reconciler, scope, provider, before, unsettled, outcome.value, times);
}

/** Reads the payments and refunds not known here. If they cannot be read now, the next period's reading finds them. */
async function readCharges(
  side: ProviderSide,
  scope: WorkspaceScope,
  subscription: BilledSubscription,
  requestId: string | null,
): Promise<void> {
  const { connectionId } = subscription;
  if (connectionId === null) return;
  try {
    const provider = await side.connected.open(scope, connectionId);
    await readPayments(side, provider, scope, subscription, requestId);
  } catch (error) {
    if (!isTollgateError(error)) throw error;
  }
}

/**
 * Drops the price restoration from the pending call if the renewal was charged at the prepared price: only the
 * cancellation took effect.
 */
async function withoutTakingBack(
  trx: DbTransaction,
  scope: WorkspaceScope,
  locked: BilledSubscription,
  unsettled: PendingCall,
  shown: SubscriptionFacts,
  now: Instant,
): Promise<BilledSubscription> {
  const { calls } = unsettled;
  if (!hasRenewed(locked, shown) || !isChargedAsPrepared(calls, shown)) return locked;
  const left = { ...unsettled, calls: calls.filter(({ action }) => action === 'cancel') };
  const work = { ...locked.work, unsettled: left };
  return saveBilledSubscription(trx, scope, { ...locked, work }, now);
}

/**
 * Returns whether the command may have uncovered a payment: the period has moved on, an overdue one was paid, or the
 * subscription has ended and no later reading would report it.
 */
function mayHaveBeenCharged(before: BilledSubscription, after: BilledSubscription): boolean {
  const isPaid = before.status === 'past_due' && after.status === 'active';
  return isPaid || hasEnded(after.status) || after.currentPeriodEnd > before.currentPeriodEnd;
}
