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
import type { OperationContext, RepairHandler } from '../operation-handler';
import type { SubscriptionFacts } from '../../providers/canonical-event';
import type { WorkspaceScope } from '../../tenancy/actor';
import type { BilledSubscription } from '../billed-subscription';
import { findBilledSubscription } from '../billed-subscription-store';
import { saveBilledSubscription } from '../save-subscription-store';
import { applyUnreadFacts, recordUnreadRenewal } from './apply-unread-facts';
import { beginPendingCall, readPendingCall, type BegunCall, type ReadCall } from './begin-pending-call';
import { makePendingCall, type CallsMade, type PendingCallOptions } from './make-pending-call';
import { resolveCommand, isInDoubt, type CommandResolution } from './resolve-command';
import { UnknownOutcomeError } from './unknown-outcome-error';
import { readPayments } from './read-payments';
import type { Reconciler } from './reconciler';
import { contextOf } from '../operation-context';

export interface ProviderSide extends PendingCallOptions {
  database: Database;
  clock: Clock;
  reconciler: Reconciler;
  repair: RepairHandler;
}

/** An attempt at a step that is retried while the provider's answer is unknown. */
export interface Attempt {
  /** Whether an earlier attempt may have had an effect. */
  repeated: boolean;
  /** The last attempt records an unknown outcome and schedules a retry; an earlier one throws it. */
  isLast: boolean;
}

/** A subscription whose calls are made at the workspace's time `at`. */
interface Due {
  subscriptionId: string;
  at: Instant;
}

/** Maximum number of readings of a repair in one attempt while the row keeps changing. */
const READINGS = 5;

/** Commands that a provider may charge for at once. */
const CHARGES: ReadonlySet<PendingCall['intent']['kind']> = new Set(['change_now', 'repair']);

const KEEPS_CHANGING: CallsMade = {
  outcome: { kind: 'unknown', reason: 'the subscription keeps changing' },
};

/**
 * Makes a command's recorded calls, then resolves the command by their outcome. A crash in between leaves the pending
 * call, and the next attempt resumes from it, also in another run of the workflow: the row says that the calls may have
 * been made. A repair sets the row to what it read, so it reads again if the row has changed since: a webhook may have
 * written something newer.
 *
 * @returns null if no call was pending
 * @throws UnknownOutcomeError if the outcome is unknown and this was not the last attempt
 */
export async function resolvePendingCall(
  side: ProviderSide,
  scope: WorkspaceScope,
  due: Due,
  { repeated, isLast }: Attempt,
): Promise<CommandResolution | null> {
  for (let reading = 1; ; reading += 1) {
    const read = await inWorkspace(side.database, scope, 'SYSTEM', (trx) =>
      readPendingCall(trx, scope, due.subscriptionId),
    );
    if (read === null) return null;
    const { key } = read.call;
    const begin = (): Promise<BegunCall | null> =>
      inWorkspace(side.database, scope, 'SYSTEM', (trx) =>
        beginPendingCall(trx, scope, due.subscriptionId, { key, at: due.at }),
      );
    const made =
      reading > READINGS
        ? KEEPS_CHANGING
        : await makePendingCall(side, scope, read, { at: due.at, repeated, begin });
    if (made === null) return null;
    const pending = made.begun ?? read;
    const concluded = await conclude(side, scope, due, { ...pending, made, isLast });
    if (concluded?.kind === 'stale') continue;
    if (concluded?.kind === 'applied') await readNewCharges(side, scope, pending, concluded);
    return concluded;
  }
}

type Concluded = CommandResolution & { requestId: string | null };

/**
 * Resolves the command by the outcome of its calls.
 *
 * @returns null if another attempt has resolved it; `stale` if a repair's reading may be older than the row, or if
 *   another attempt has sent the calls that this one refuses to send
 */
async function conclude(
  side: ProviderSide,
  scope: WorkspaceScope,
  { subscriptionId, at }: Due,
  { call, seen, made, isLast }: ReadCall & { made: CallsMade; isLast: boolean },
): Promise<Concluded | { kind: 'stale' } | null> {
  const { outcome } = made;
  if (!isLast && isInDoubt(call.intent, outcome)) {
    throw new UnknownOutcomeError(
      'reason' in outcome ? outcome.reason : 'it accepted the request but does not show the result yet',
    );
  }
  const { database, clock } = side;
  return inWorkspace(database, scope, 'SYSTEM', async (trx) => {
    const operation = await findOperation(trx, scope, call.operationId);
    if (operation === undefined) throw new Error(`There is no operation ${call.operationId}.`);
    await setContext(trx, scope.workspaceId, scope.environment, operation.reason);
    const locked = await findBilledSubscription(trx, scope, subscriptionId, 'lock');
    if (locked?.work.unsettled?.key !== call.key) return null;
    const isStale = call.intent.kind === 'repair' && locked.version !== seen.version;
    const isSentElsewhere = locked.work.unsettled.sent === true && call.sent !== true;
    if ((isStale || isSentElsewhere) && outcome.kind !== 'unknown') return { kind: 'stale' };
    await setRequest(trx, operation.requestId);
    const context = contextOf(operation, scope, { now: at, recordedAt: clock.now() });
    const before = await withUnreadFacts(trx, side, locked, { call, made, context });
    const resolution = { call: locked.work.unsettled, outcome };
    const resolved = await resolveCommand(trx, context, before, resolution, side.repair);
    if (resolved.kind === 'applied' && 'value' in outcome) {
      const unread = { scope, facts: outcome.value, times: context, after: resolved.subscription };
      await recordUnreadRenewal(trx, side.reconciler, before, unread);
    }
    return { ...resolved, requestId: operation.requestId };
  });
}

/** Applies what else the calls have brought to light, before the command's own outcome. */
async function withUnreadFacts(
  trx: DbTransaction,
  { reconciler }: ProviderSide,
  locked: BilledSubscription,
  { call, made, context }: { call: PendingCall; made: CallsMade; context: OperationContext },
): Promise<BilledSubscription> {
  const { outcome, provider } = made;
  if (provider === undefined || !('value' in outcome) || isInDoubt(call.intent, outcome)) return locked;
  const { scope } = context.actor;
  const facts = outcome.value;
  const before = await withoutPriceRevert(trx, context, locked, call, facts);
  const { intent } = call;
  return applyUnreadFacts(trx, reconciler, before, { scope, provider, intent, facts, times: context });
}

/**
 * Reads the payments and refunds that are not known here, if the command may have caused or uncovered any. If they
 * cannot be read now, the next period's reading finds them.
 */
async function readNewCharges(
  side: ProviderSide,
  scope: WorkspaceScope,
  { call, seen }: ReadCall,
  { subscription, requestId }: Concluded,
): Promise<void> {
  const charges = CHARGES.has(call.intent.kind);
  if (!charges && !mayHaveBeenCharged(seen, subscription)) return;
  const { connectionId } = seen;
  if (connectionId === null) return;
  try {
    const provider = await side.connected.open(scope, connectionId);
    await readPayments(side, provider, scope, seen, charges ? requestId : null);
  } catch (error) {
    if (!isTollgateError(error)) throw error;
  }
}

/**
 * Drops the reverting of the price from the pending call if the renewal was charged at the prepared price: only the
 * cancellation took effect.
 */
async function withoutPriceRevert(
  trx: DbTransaction,
  { actor, now }: OperationContext,
  locked: BilledSubscription,
  unsettled: PendingCall,
  shown: SubscriptionFacts,
): Promise<BilledSubscription> {
  const { calls } = unsettled;
  if (!hasRenewed(locked, shown) || !isChargedAsPrepared(calls, shown)) return locked;
  const left = { ...unsettled, calls: calls.filter(({ action }) => action === 'cancel') };
  const work = { ...locked.work, unsettled: left };
  return saveBilledSubscription(trx, actor.scope, { ...locked, work }, now);
}

/**
 * Returns whether the command may have uncovered a payment: the period has moved on, an overdue one was paid, or the
 * subscription has ended and no later reading would report it.
 */
function mayHaveBeenCharged(before: BilledSubscription, after: BilledSubscription): boolean {
  const isPaid = before.status === 'past_due' && after.status === 'active';
  return isPaid || hasEnded(after.status) || after.currentPeriodEnd > before.currentPeriodEnd;
}
