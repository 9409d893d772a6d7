import type { ConnectedProvider, ConnectedProviders } from '../../connections/connected-providers';
import type { Clock } from '../../clock/system-clock';
import type { Database, DbTransaction } from '../../db/pools';
import { inWorkspace, setContext, setRequest } from '../../db/workspace-transaction';
import { isTollgateError } from '../../domain/errors';
import type { Instant } from '../../domain/instant';
import { hasRenewed } from '../../domain/change-at-renewal';
import { isChargedAsPrepared, mayBePrepared } from '../../domain/provider-calls';
import { hasEnded } from '../../domain/subscription-types';
import {
  mayBeInOtherAccount,
  type PendingCall,
  type ProviderCall,
  type ProviderIntent,
} from '../../domain/provider-work';
import { findOperation } from '../../operations/operation-store';
import type { RepairHandler } from '../operation-handler';
import { requireSamePrice, type PlanToSell } from '../../plan-prices/require-same-price';
import type { SubscriptionFacts } from '../../providers/canonical-event';
import type { Outcome } from '../../providers/outcome';
import { refusesCredentials } from '../../providers/refused-credentials';
import type { WorkspaceScope } from '../../tenancy/actor';
import type { BilledSubscription } from '../billed-subscription';
import { findBilledSubscription } from '../billed-subscription-store';
import { saveBilledSubscription } from '../save-subscription-store';
import { priceOfSeats, needsPrice } from '../priced-change';
import { applyUnreadFacts } from './apply-unread-facts';
import { callProvider, type CallsToMake } from './call-provider';
import { resolveCommand, isInDoubt, type CommandResolution } from './resolve-command';
import { UnknownOutcomeError } from './unknown-outcome-error';
import { readPayments } from './read-payments';
import type { Reconciler, ReconcileTimes } from './reconciler';
import { withOwnPrice } from './with-own-price';
import { contextOf } from '../operation-context';

export interface ProviderSide {
  database: Database;
  clock: Clock;
  connected: ConnectedProviders;
  reconciler: Reconciler;
  repair: RepairHandler;
  /** Where a provider sends a customer after approval or refusal, unless the connection sets its own URL. */
  returnUrl: (environment: WorkspaceScope['environment']) => string;
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
  const { database, clock, connected, returnUrl } = side;
  const found = await inWorkspace(database, scope, 'SYSTEM', (trx) =>
    findBilledSubscription(trx, scope, subscriptionId, 'read'),
  );
  const unsettled = found?.work.unsettled ?? null;
  if (found === undefined || unsettled === null) return null;
  let calledProvider: ConnectedProvider | undefined;
  const outcome = reads > 0 ? await call(found, unsettled) : KEEPS_CHANGING;
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
    const before = await withUnreadFacts(trx, locked, unsettled, context);
    const resolved = await resolveCommand(trx, context, before, locked.work.unsettled, outcome, side.repair);
    return { ...resolved, requestId: operation.requestId };
  });
  if (resolution !== 'stale') {
    if (resolution?.kind === 'applied') {
      const charges = CHARGES.has(unsettled.intent.kind);
      if (charges || mayHaveBeenCharged(found, resolution.subscription)) {
        await readCharges(charges ? resolution.requestId : null);
      }
    }
    return resolution;
  }
  return resolvePendingCall(side, scope, { subscriptionId, at, repeated: true, lastTry }, reads - 1);

  async function withUnreadFacts(
    trx: DbTransaction,
    locked: BilledSubscription,
    unsettled: PendingCall,
    times: ReconcileTimes,
  ): Promise<BilledSubscription> {
    if (calledProvider === undefined || !('value' in outcome) || isInDoubt(unsettled.intent, outcome))
      return locked;
    const { reconciler } = side;
    const before = await withoutTakingBack(trx, scope, locked, unsettled, outcome.value, times.now);
    return applyUnreadFacts(trx, reconciler, scope, calledProvider, before, unsettled, outcome.value, times);
  }

  /**
   * Reads the payments and refunds not known here. If they cannot be read now, the next period's reading finds them.
   */
  async function readCharges(requestId: string | null): Promise<void> {
    if (found === undefined || found.connectionId === null) return;
    try {
      const provider = await connected.open(scope, found.connectionId);
      await readPayments(side, provider, scope, found, requestId);
    } catch (error) {
      if (!isTollgateError(error)) throw error;
    }
  }

  async function call(
    found: BilledSubscription,
    unsettled: PendingCall,
  ): Promise<Outcome<SubscriptionFacts>> {
    const { calls, key, intent, tries } = unsettled;
    const { connectionId, providerReference } = found;
    const isRepeated = repeated || tries > 0;
    if (connectionId === null || providerReference === null) {
      return { kind: 'declined', code: 'not_connected', reason: 'The subscription has no connection.' };
    }
    try {
      const provider = await connected.open(scope, connectionId);
      calledProvider = provider;
      // A repeated call may already have taken effect, so it is not refused here.
      const sale = isRepeated ? null : saleOf(found, intent);
      if (sale !== null) await requireSamePrice(provider, sale);
      const own = provider.access.settings['returnUrl'];
      const making = {
        reference: providerReference,
        calls,
        key,
        repeated: isRepeated,
        reason:
          intent.kind === 'cancel' ? 'Cancelled by the merchant on request.' : 'Requested by the merchant.',
        returnUrl: typeof own === 'string' ? own : returnUrl(scope.environment),
        // Whether it has renewed is the provider's to say: its clock may be ahead, and calls may arrive late.
        ...(mayBePrepared(found) && {
          hasRenewed: (shown: SubscriptionFacts) => hasRenewed(found, shown),
        }),
      };
      const outcome = await (intent.kind === 'repair' ? repairAt : callProvider)(provider, making);
      // An earlier attempt may have succeeded with another key: the outcome is unknown until a key is accepted.
      if (!isRepeated || outcome.kind !== 'declined') return outcome;
      const { secretVersion } = provider.access;
      const isElsewhere =
        outcome.code === 'not_found' && mayBeInOtherAccount(unsettled, { secretVersion, at });
      if (!isElsewhere && !refusesCredentials(outcome)) return outcome;
      return { kind: 'unknown', reason: outcome.reason };
    } catch (error) {
      if (!isTollgateError(error)) throw error;
      // The connection cannot be opened or the price differs. This attempt sent nothing, but an earlier one may have.
      const { detail: reason, code } = error;
      return isRepeated ? { kind: 'unknown', reason } : { kind: 'declined', code, reason };
    }
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

/**
 * Makes the calls of a repair, if any, then reads the subscription once with everything that is compared. After calls,
 * values that cannot be read now are omitted.
 */
async function repairAt(
  provider: ConnectedProvider,
  making: CallsToMake,
): Promise<Outcome<SubscriptionFacts>> {
  const calls: ProviderCall[] = [];
  for (const call of making.calls) {
    const own = await withOwnPrice(provider, call);
    if (!('value' in own)) return own;
    calls.push(own.value);
  }
  const made = calls.length === 0 ? null : await callProvider(provider, { ...making, calls });
  if (made !== null && made.kind !== 'done') return made;
  const read = await provider.adapter.fetchBilledSubscription(provider.access, making.reference);
  if (!('value' in read)) return made ?? read;
  const { facts, billing } = read.value;
  return { ...read, value: { ...facts, billing } };
}

/**
 * Returns the plan that a command sells, on the terms it was validated with; the provider's price may differ by now.
 */
function saleOf(before: BilledSubscription, intent: ProviderIntent): PlanToSell | null {
  if (intent.kind !== 'change_now' && intent.kind !== 'request_change') return null;
  const { planId, planSlug, unitAmount, interval, pricing, planReference } = intent.to;
  if (!needsPrice(before, intent.to)) return null;
  const price = { amount: BigInt(unitAmount), currency: before.currency };
  const plan = { id: planId, slug: planSlug, planReference, interval, pricing, price };
  return { ...plan, ...priceOfSeats(before, plan) };
}
