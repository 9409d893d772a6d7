import type { Clock } from '../../clock/system-clock';
import { judgedAt } from '../../clock/judged-at';
import { heldOffset, holdClockOffset, holdClockCalls } from '../../clock/sandbox-clock-store';
import { contextCall, together, togetherAndCommit } from '../../db/calls';
import type { Database, DbTransaction } from '../../db/pools';
import { inWorkspaceWith, setContext, setRequest } from '../../db/workspace-transaction';
import type { Instant } from '../../domain/instant';
import type { OperationStatus } from '../../domain/operation-status';
import { stepBeforeCommand, timeOfCommand } from '../../domain/step-before-command';
import {
  findStoredAnswer,
  insertAnswerCall,
  keyUseCall,
  lockKeyCall,
} from '../../idempotency/idempotency-store';
import { expireCheckout } from '../expire-checkout';
import { recordPendingCall } from '../at-provider/record-pending-call';
import { prepareCommand } from '../at-provider/prepare-command';
import type { BilledSubscription } from '../billed-subscription';
import { findBilledSubscription, lockSubscriptionCall } from '../billed-subscription-store';
import type { SteppingState } from '../subscription-steps';
import type { WorkspaceScope } from '../../tenancy/actor';
import {
  handlerOf,
  type OperationContext,
  type OperationHandlers,
  type RepairHandler,
} from '../operation-handler';
import { OperationAbandonedError } from '../../operations/abandonment-errors';
import { markSucceededCall } from '../../operations/conclude-operation-store';
import { claimOf, findOperation } from '../../operations/operation-store';
import { lockOperationCall, operationCall, type FoundOperation } from '../../operations/run-operation-store';
import { fromOperationProblem } from '../../operations/operation-problem';
import { operationNotFound } from '../../operations/read-operation';
import { contextOf } from '../operation-context';
import { findSubscriptionCall } from '../subscription-store';
import { openDueAtsCall } from '../transaction-store';
import { storingRefusal } from '../../operations/storing-refusal';
import { subscriptionNotFound } from '../../operations/subscription-not-found';

/**
 * Result of an attempt. `due`: the caller must run the overdue time steps first. `claimed`: the caller must make the
 * provider calls recorded in the row (`at-provider/resolve-pending-call.ts`).
 */
export type OperationRunResult =
  | { kind: 'applied'; state: SteppingState | undefined }
  | { kind: 'due' }
  | { kind: 'claimed' };

/** Result of an attempt, or the earlier open commands that must run first. */
type OperationTurn = OperationRunResult | { kind: 'behind'; earlier: readonly string[] };

export interface RunOptions {
  database: Database;
  clock: Clock;
  handlers: OperationHandlers;
}

/** Rolls the transaction back, because an overdue time step must run before the command. */
class OverdueStepError extends Error {}

/**
 * Applies an operation in one transaction; a refusal is stored in a second one. An operation that has ended is left
 * unchanged. That includes a refused one: sending its key again reopens it and decides it again.
 *
 * @param at the workspace's time as known to the workflow
 * @param passed earlier commands not to wait for
 * @throws OperationAbandonedError if it was abandoned before
 */
export async function runOperation(
  options: RunOptions,
  scope: WorkspaceScope,
  operationId: string,
  at: Instant,
  passed: ReadonlySet<string>,
): Promise<OperationTurn> {
  const find = [operationCall(scope, operationId)];
  const run = (): Promise<OperationTurn> =>
    inWorkspaceWith(options.database, scope, 'SYSTEM', find, async (trx, [found]) => {
      if (found === undefined) throw operationNotFound(operationId);
      const earlier = found.earlier.filter((id) => !passed.has(id));
      if (earlier.length > 0) return { kind: 'behind', earlier };
      return runInTransaction(trx, options, scope, found, at);
    });
  try {
    return await storingRefusal(options, scope, operationId, run);
  } catch (error) {
    if (error instanceof OverdueStepError) return { kind: 'due' };
    throw error;
  }
}

async function runInTransaction(
  trx: DbTransaction,
  { clock, handlers }: RunOptions,
  scope: WorkspaceScope,
  { operation, provider, clockOffset }: FoundOperation,
  workflowTime: Instant,
): Promise<OperationRunResult> {
  const { kind, subscriptionId, reason, requestId } = operation;
  if (kind === 'refund' || kind === 'create_checkout' || subscriptionId === null)
    throw operationNotFound(operation.id);
  const recordedAt = clock.now();
  const now = judgedAt(scope, workflowTime, { realTime: recordedAt, offset: clockOffset });
  if (provider !== 'internal' && provider !== null) {
    await setContext(trx, scope.workspaceId, scope.environment, reason);
    const context = contextOf(operation, scope, { now, recordedAt });
    if (await prepareProviderCalls(trx, context, handlers.repair)) return { kind: 'claimed' };
  }
  const claim = claimOf(operation);
  // Lock order: the operation comes last. Each statement sees what was committed before it began.
  const [, , use, , locked, openDueAts, status] = await together(trx, [
    contextCall(scope, reason, requestId),
    lockKeyCall(scope, claim.key),
    keyUseCall(scope, claim),
    lockSubscriptionCall(scope, subscriptionId),
    findSubscriptionCall(scope, subscriptionId),
    openDueAtsCall(scope, subscriptionId),
    lockOperationCall(scope, operation.id),
  ]);
  // The result is already stored, so nothing is applied; the workflow still needs the current row.
  if (use.kind === 'answered' || status === 'refused') {
    const clockOffset = await holdClockOffset(trx, scope);
    return { kind: 'applied', state: locked && { subscription: locked, clockOffset } };
  }
  if (locked === undefined) throw subscriptionNotFound(subscriptionId);
  const at = timeOfCommand(locked, operation.submittedAt, now);
  const current = await expireOverdueCheckout(trx, scope, locked, { at, recordedAt, requestId });
  refuseAbandoned(operation.id, status);
  // An expired checkout has no open transactions.
  const subscription = { ...locked, ...current, openDueAts: current === locked ? openDueAts : [] };
  const context = contextOf(operation, scope, { now: at, recordedAt });
  const outcome = await handlerOf(handlers, kind)(trx, context, subscription);
  const answer = { status: outcome.status, body: JSON.stringify(outcome.body) };
  const [, , ...held] = await togetherAndCommit(trx, [
    markSucceededCall(scope, operation.id, recordedAt),
    insertAnswerCall(scope, claim, answer, recordedAt),
    ...holdClockCalls(scope),
  ]);
  const state = { subscription: outcome.subscription, clockOffset: heldOffset(held) };
  return { kind: 'applied', state };
}

/**
 * Validates a command that a payment provider carries out, and records its pending call. A command already answered is
 * replayed elsewhere.
 */
async function prepareProviderCalls(
  trx: DbTransaction,
  context: OperationContext,
  repair: RepairHandler,
): Promise<boolean> {
  const { operation, now: at, recordedAt } = context;
  const { scope } = context.actor;
  const { id, subscriptionId, status, requestId } = operation;
  if (subscriptionId === null || status === 'succeeded') return false;
  const subscription = await findBilledSubscription(trx, scope, subscriptionId, 'lock');
  if (subscription === undefined) return false;
  if (subscription.work.unsettled?.operationId === id) return true;
  if ((await findStoredAnswer(trx, scope, claimOf(operation))) !== undefined) return false;
  const times = { at, recordedAt, requestId: null };
  const current = await expireOverdueCheckout(trx, scope, subscription, times);
  if ((await requireNotAbandoned(trx, scope, id)) === 'refused') return false;
  await setRequest(trx, requestId);
  const prepared = await prepareCommand(trx, context, current, repair);
  if (prepared === null) return false;
  await recordPendingCall(trx, context, current, prepared);
  return true;
}

/**
 * Locks the operation, so that it cannot be abandoned while the open transaction applies it. Lock order: call it after
 * taking every other lock.
 *
 * @returns its status
 * @throws OperationAbandonedError if it is abandoned already
 */
async function requireNotAbandoned(
  trx: DbTransaction,
  scope: WorkspaceScope,
  operationId: string,
): Promise<OperationStatus | undefined> {
  const [status] = await together(trx, [lockOperationCall(scope, operationId)]);
  refuseAbandoned(operationId, status);
  return status;
}

/**
 * Locks the operation before the work of a command that each attempt decides anew, and throws its refusal if it has
 * one. A refused command stays refused, even if an activity repeated after a crash would decide otherwise, because its
 * sender may have received the refusal. Sending its key again reopens it.
 *
 * @throws TollgateError the stored refusal; OperationAbandonedError
 */
export async function requireStillOpen(
  trx: DbTransaction,
  scope: WorkspaceScope,
  operationId: string,
): Promise<void> {
  if ((await requireNotAbandoned(trx, scope, operationId)) !== 'refused') return;
  const problem = (await findOperation(trx, scope, operationId))?.problem ?? null;
  if (problem === null) throw new Error(`The refused operation ${operationId} has no problem.`);
  throw fromOperationProblem(problem);
}

function refuseAbandoned(operationId: string, status: OperationStatus | undefined): void {
  if (status === 'abandoned') throw new OperationAbandonedError(operationId);
}

/**
 * Brings the subscription up to the instant of the command. Overdue steps are left to the subscription's workflow,
 * which runs them in order. An unpaid checkout's deadline belongs to the checkout's workflow; it is applied here so
 * that the command need not wait for it.
 *
 * @param times.requestId the request that the open transaction works for
 * @throws OverdueStepError if another step is due first
 */
async function expireOverdueCheckout(
  trx: DbTransaction,
  scope: WorkspaceScope,
  subscription: BilledSubscription,
  times: { at: Instant; recordedAt: Instant; requestId: string | null },
): Promise<BilledSubscription> {
  const { at, recordedAt, requestId } = times;
  const due = stepBeforeCommand(subscription, at);
  if (due === null) return subscription;
  if (due.step !== 'expire_checkout') throw new OverdueStepError();
  const expiry = { why: 'deadline', at: due.boundary, recordedAt, source: 'billing' } as const;
  // The expiry was not caused by a request.
  if (requestId !== null) await setRequest(trx, '');
  const expired = await expireCheckout(trx, scope, subscription, expiry);
  if (requestId !== null) await setRequest(trx, requestId);
  return expired;
}
