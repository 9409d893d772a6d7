import { isRefusal, toRetryableError } from '../../operations/command-errors';
import type { Clock } from '../../clock/system-clock';
import { readClockOffset } from '../../clock/sandbox-clock-store';
import type { Database, DbTransaction } from '../../db/pools';
import { inWorkspace, setContext, setRequest } from '../../db/workspace-transaction';
import { TollgateError } from '../../domain/errors';
import type { Instant } from '../../domain/instant';
import { stepBeforeCommand } from '../../domain/step-before-command';
import { findStoredAnswer, runOnce } from '../../idempotency/idempotency-store';
import { expireCheckout } from '../expire-checkout';
import { recordPendingCall } from '../at-provider/record-pending-call';
import { prepareCommand } from '../at-provider/prepare-command';
import type { BilledSubscription } from '../billed-subscription';
import { findBilledSubscription, findBillingProvider } from '../billed-subscription-store';
import type { SteppingState } from '../subscription-steps';
import type { WorkspaceScope } from '../../tenancy/scope';
import {
  handlerOf,
  type OperationContext,
  type OperationHandlers,
  type RepairHandler,
} from './operation-handler';
import { OperationAbandonedError } from '../../operations/abandonment-errors';
import {
  claimOf,
  findOperation,
  lockOperation,
  markRefused,
  markSucceeded,
  type OperationRow,
} from '../../operations/operation-store';
import { toOperationProblem } from '../../operations/operation-problem';
import { operationNotFound } from '../../operations/read-operation';

/**
 * The result of an attempt: `due` asks the caller to take the overdue steps of time first; `claimed` to have the
 * payment provider asked what the row now says (`at-provider/settle-calls`).
 */
export type OperationRunResult =
  { kind: 'applied'; state: SteppingState | undefined } | { kind: 'due' } | { kind: 'claimed' };

interface Options {
  database: Database;
  clock: Clock;
  handlers: OperationHandlers;
}

/** Rolls the transaction back, because an overdue step of time must be taken before the command. */
class OverdueStepError extends Error {}

/**
 * Applies an operation in one transaction; a refusal is stored in a second one.
 *
 * @throws OperationAbandonedError when it was abandoned before
 */
export async function runOperation(
  options: Options,
  scope: WorkspaceScope,
  operationId: string,
  at: Instant,
): Promise<OperationRunResult> {
  const { database, clock } = options;
  try {
    return await inWorkspace(database, scope, 'SYSTEM', async (trx) => {
      const operation = await findOperation(trx, scope, operationId);
      if (operation === undefined) throw operationNotFound(operationId);
      await setContext(trx, scope.workspaceId, scope.environment, operation.reason);
      return runInTransaction(trx, options, scope, operation, at);
    });
  } catch (error) {
    if (error instanceof OverdueStepError) return { kind: 'due' };
    if (!isRefusal(error)) throw toRetryableError(error);
    await inWorkspace(database, scope, 'SYSTEM', (trx) =>
      markRefused(trx, scope, operationId, toOperationProblem(error), clock.now()),
    );
    throw error;
  }
}

async function runInTransaction(
  trx: DbTransaction,
  { clock, handlers }: Options,
  scope: WorkspaceScope,
  operation: OperationRow,
  at: Instant,
): Promise<OperationRunResult> {
  const { kind, subscriptionId } = operation;
  if (kind === 'refund' || kind === 'create_checkout' || subscriptionId === null)
    throw operationNotFound(operation.id);
  const recordedAt = clock.now();
  if (await prepareProviderCalls(trx, handlers.repair, scope, operation, at, recordedAt))
    return { kind: 'claimed' };
  let after: BilledSubscription | undefined;
  await runOnce(trx, scope, claimOf(operation), recordedAt, async () => {
    const locked = await findBilledSubscription(trx, scope, subscriptionId, 'lock');
    if (locked === undefined) {
      throw new TollgateError('subscription_not_found', `There is no subscription "${subscriptionId}".`);
    }
    const subscription = await expireOverdueCheckout(trx, scope, locked, at, recordedAt);
    await requireOpen(trx, scope, operation.id);
    const context = contextOf(operation, scope, at, recordedAt);
    await setRequest(trx, operation.requestId);
    const outcome = await handlerOf(handlers, kind)(trx, context, subscription);
    await markSucceeded(trx, scope, operation.id, recordedAt);
    after = outcome.subscription;
    return outcome;
  });
  // Nothing was applied when the answer was stored already; the workflow still needs the current row.
  after ??= await findBilledSubscription(trx, scope, subscriptionId, 'read');
  if (after === undefined) return { kind: 'applied', state: undefined };
  return { kind: 'applied', state: { subscription: after, clockOffset: await readClockOffset(trx, scope) } };
}

/**
 * Where a payment provider carries the command out: validates it and records its pending call. A command that has been
 * answered before is replayed elsewhere.
 */
async function prepareProviderCalls(
  trx: DbTransaction,
  repair: RepairHandler,
  scope: WorkspaceScope,
  operation: OperationRow,
  at: Instant,
  recordedAt: Instant,
): Promise<boolean> {
  const { id, subscriptionId, status } = operation;
  if (subscriptionId === null || status === 'succeeded') return false;
  // One column is read first, so that local billing does not load the whole row twice.
  const provider = await findBillingProvider(trx, scope, subscriptionId);
  if (provider === undefined || provider === 'internal') return false;
  const subscription = await findBilledSubscription(trx, scope, subscriptionId, 'lock');
  if (subscription === undefined) return false;
  if (subscription.work.unsettled?.operationId === id) return true;
  if ((await findStoredAnswer(trx, scope, claimOf(operation))) !== undefined) return false;
  const current = await expireOverdueCheckout(trx, scope, subscription, at, recordedAt);
  await requireOpen(trx, scope, id);
  await setRequest(trx, operation.requestId);
  const context = contextOf(operation, scope, at, recordedAt);
  const prepared = await prepareCommand(trx, context, current, repair);
  if (prepared === null) return false;
  await recordPendingCall(trx, context, current, prepared);
  return true;
}

/**
 * Locks the operation, so that it cannot be abandoned while the open transaction applies it. Lock order: call it after
 * every other lock is taken.
 *
 * @throws OperationAbandonedError when it is abandoned already
 */
export async function requireOpen(
  trx: DbTransaction,
  scope: WorkspaceScope,
  operationId: string,
): Promise<void> {
  const row = await lockOperation(trx, scope, operationId);
  if (row?.status === 'abandoned') throw new OperationAbandonedError(operationId);
}

/**
 * Brings the subscription up to the instant of the command. Overdue steps are left to the subscription's workflow, which
 * takes them in order. An unpaid checkout's deadline belongs to the checkout's workflow, and is applied here so that the
 * command need not wait for it.
 *
 * @throws OverdueStepError when another step is due first
 */
async function expireOverdueCheckout(
  trx: DbTransaction,
  scope: WorkspaceScope,
  subscription: BilledSubscription,
  at: Instant,
  recordedAt: Instant,
): Promise<BilledSubscription> {
  const due = stepBeforeCommand(subscription, at);
  if (due === null) return subscription;
  if (due.step !== 'expire_checkout') throw new OverdueStepError();
  return expireCheckout(trx, scope, subscription, {
    why: 'deadline',
    at: due.boundary,
    recordedAt,
    source: 'billing',
  });
}

export function contextOf(
  operation: OperationRow,
  scope: WorkspaceScope,
  now: Instant,
  recordedAt: Instant,
): OperationContext {
  const { reason, operatorId, ip, requestId } = operation;
  const actor = { scope, reason, operatorId, ip, requestId, receivedAt: recordedAt, now };
  return { operation, actor, now, recordedAt };
}
