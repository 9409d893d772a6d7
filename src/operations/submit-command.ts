import type { Clock } from '../clock/system-clock';
import { classifyFailure, isRolledBack } from '../db/failure';
import { StatementError } from '../db/statement-error';
import type { Database, DbTransaction } from '../db/pools';
import { inWorkspace, inWorkspaceAtOnce } from '../db/workspace-transaction';
import { isTollgateError } from '../domain/errors';
import { findKeyUse, keyReused, type Claim, type StoredAnswer } from '../idempotency/idempotency-store';
import { newIdentifier } from '../identifiers/identifier';
import type { Actor, WorkspaceScope } from '../tenancy/actor';
import { answerCommand, type SendResult } from './answer-command';
import type { CommandMessage } from '../outbox/command-message';
import type { CommandSender } from './command-sender';
import { reopenOperation } from './operation-state-store';
import { insertOperation, insertOperationCall } from './insert-operation-store';
import {
  findOperationOfKey,
  subscriptionExists,
  type OperationKind,
  type OperationRow,
} from './operation-store';
import { unknownOutcomeError } from './abandonment-errors';
import { toCommandMessage } from './to-command-message';
import type { SubmitResult } from './submit-result';
import { subscriptionNotFound } from './subscription-not-found';

/** A change of a subscription, a refund of a payment, or a checkout for a customer. */
export interface Command {
  kind: OperationKind;
  /** Null for a checkout, and for a refund of a payment without a subscription. */
  subscriptionId: string | null;
  /** What it acts on: the subscription, a transaction, a payment, a customer. */
  targetId: string;
  /** What the handler needs beyond the target, as JSON values. */
  input: Record<string, unknown>;
  /** Throws if the command cannot be accepted. Skipped if the key is already known. */
  verify?: (trx: DbTransaction) => Promise<void>;
  /**
   * Whether target and input depend on more than the request, such as settings. They then replace those of an earlier
   * attempt under the same key that was refused or abandoned.
   */
  isRouted?: boolean;
}

/** Records a command, sends it to its workflow, and returns its stored answer or the open operation. */
export async function submitCommand(
  options: { database: Database; clock: Clock; commands: CommandSender },
  actor: Actor,
  command: Command,
  claim: Claim,
): Promise<SubmitResult> {
  const known = await recordOperation(options.database, actor, command, claim);
  if ('answer' in known) return { kind: 'answered', answer: known.answer };
  const { operation } = known;
  const sending = await send(options.commands, toCommandMessage(actor.scope, operation));
  return answerCommand(options, actor, operation, claim, sending);
}

async function send(commands: CommandSender, command: CommandMessage): Promise<SendResult> {
  try {
    return { kind: (await commands.send(command)) === 'applied' ? 'applied' : 'pending' };
  } catch (error) {
    return { kind: 'failed', error };
  }
}

/** @throws TollgateError internal_error if the commit's result was lost: if the row exists, maintenance sends it */
async function recordOperation(
  database: Database,
  actor: Actor,
  command: Command,
  claim: Claim,
): Promise<{ answer: StoredAnswer } | { operation: OperationRow }> {
  if (command.verify === undefined) {
    const operation = newOperation(actor, command, claim);
    if (await acceptAtOnce(database, actor, operation)) return { operation };
  }
  const progress = { isWritten: false };
  try {
    return await inWorkspace(database, actor.scope, actor.reason, async (trx) => {
      const known = await findOrCreateOperation(trx, actor, command, claim);
      progress.isWritten = 'operation' in known;
      return known;
    });
  } catch (error) {
    if (!progress.isWritten || isTollgateError(error) || isRolledBack(error)) throw error;
    throw unknownOutcomeError(error);
  }
}

/**
 * Accepts a command in one round trip, if its key is unused and its subscription exists.
 *
 * @returns false in any other case, which the caller then handles
 * @throws TollgateError internal_error if it may or may not have been accepted
 */
async function acceptAtOnce(database: Database, actor: Actor, operation: OperationRow): Promise<boolean> {
  const { scope, reason } = actor;
  try {
    const [isInserted] = await inWorkspaceAtOnce(database, scope, reason, [
      insertOperationCall(scope, operation),
    ]);
    return isInserted;
  } catch (error) {
    const isSent = error instanceof StatementError && classifyFailure(error) === 'connection';
    if (isSent && !isRolledBack(error)) throw unknownOutcomeError(error);
    throw error;
  }
}

/** Returns the stored answer of this key, or its operation, created or reopened. */
async function findOrCreateOperation(
  trx: DbTransaction,
  actor: Actor,
  command: Command,
  claim: Claim,
): Promise<{ answer: StoredAnswer } | { operation: OperationRow }> {
  const { scope } = actor;
  const use = await findKeyUse(trx, scope, claim);
  if (use.kind === 'answered') return { answer: use.answer };
  const known = use.kind === 'free' ? undefined : await findOperationOfKey(trx, scope, claim.key);
  if (known !== undefined) return { operation: await reopen(trx, actor, known, command, claim) };
  if (command.subscriptionId !== null) await requireSubscription(trx, scope, command.subscriptionId);
  await command.verify?.(trx);
  const operation = newOperation(actor, command, claim);
  if (await insertOperation(trx, scope, operation)) return { operation };
  const other = await findOperationOfKey(trx, scope, claim.key);
  if (other === undefined) {
    // A request that needs no command has taken the key since it was checked.
    const taken = await findKeyUse(trx, scope, claim);
    if (taken.kind === 'answered') return { answer: taken.answer };
    throw new Error('The operation that holds the key is missing.');
  }
  return { operation: await reopen(trx, actor, other, command, claim) };
}

function newOperation(actor: Actor, command: Command, claim: Claim): OperationRow {
  return {
    status: 'pending',
    attempts: 1,
    problem: null,
    finishedAt: null,
    id: newIdentifier('operation'),
    kind: command.kind,
    subscriptionId: command.subscriptionId,
    targetId: command.targetId,
    input: command.input,
    idempotencyKey: claim.key,
    fingerprint: claim.fingerprint,
    reason: actor.reason,
    operatorId: actor.operatorId,
    apiKeyId: actor.apiKeyId,
    ip: actor.ip,
    requestId: actor.requestId,
    createdAt: actor.receivedAt,
    submittedAt: actor.now,
  };
}

async function reopen(
  trx: DbTransaction,
  actor: Actor,
  known: OperationRow,
  { isRouted = false, targetId, input }: Command,
  claim: Claim,
): Promise<OperationRow> {
  if (!known.fingerprint.equals(claim.fingerprint)) throw keyReused();
  const order = isRouted ? { targetId, input } : known;
  return reopenOperation(trx, actor.scope, known, order, actor);
}

async function requireSubscription(trx: DbTransaction, scope: WorkspaceScope, id: string): Promise<void> {
  if (!(await subscriptionExists(trx, scope, id))) throw subscriptionNotFound(id);
}
