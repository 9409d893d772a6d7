import { createHash } from 'node:crypto';
import type { Database, Transaction } from '../db/pools';
import { inWorkspace } from '../db/workspace-transaction';
import { TollgateError } from '../domain/errors';
import { findStoredAnswer, keyReused, type Claim, type StoredAnswer } from '../idempotency/idempotency-store';
import { newIdentifier } from '../identifiers/identifier';
import type { Actor, WorkspaceScope } from '../tenancy/scope';
import type { CommandTarget, SubscriptionCommands } from './commands';
import { toOperationResource, type OperationResource } from './operation-resource';
import {
  findOperation,
  findOperationOfKey,
  insertOperation,
  reopenOperation,
  subscriptionExists,
  type NewOperation,
  type OperationKind,
  type OperationRow,
} from './operation-store';
import { checkoutIdOf } from '../checkouts/checkout-id';
import { refusalOfProblem } from './problem-of-refusal';
import { operationNotFound } from './read-operation';
import { refundIdOf } from './refund-id';

/** What is to be done to a subscription, or (a refund) with a payment, or (a checkout) offered to a customer. */
export interface Command {
  kind: OperationKind;
  /** Null for a refund of a payment that belongs to no subscription, and for a checkout. */
  subscriptionId: string | null;
  /** What it acts on: the subscription, a transaction, a payment, a customer. */
  targetId: string;
  /** JSON only; what the handler needs beyond the target. */
  input: Record<string, unknown>;
  /** What must hold for the command to be taken at all; not asked again when its key comes again. */
  verify?: (trx: Transaction) => Promise<void>;
}

export type Submitted =
  { kind: 'answered'; answer: StoredAnswer } | { kind: 'pending'; operation: OperationResource };

/** Accepts a command, sends it to its workflow, and reads the answer that was stored. */
export async function submitCommand(
  { database, commands }: { database: Database; commands: SubscriptionCommands },
  actor: Actor,
  command: Command,
  claim: Claim,
): Promise<Submitted> {
  const { scope, reason } = actor;
  const accepted = await inWorkspace(database, scope, reason, (trx) => accept(trx, actor, command, claim));
  if ('answer' in accepted) return { kind: 'answered', answer: accepted.answer };
  const { operation } = accepted;
  const outcome = await commands.send({
    scope,
    target: targetOf(operation),
    operationId: operation.id,
    updateId: updateIdOf(scope, operation),
  });
  return inWorkspace(database, scope, reason, async (trx) => {
    const answer = outcome === 'applied' ? await findStoredAnswer(trx, scope, claim) : undefined;
    if (answer !== undefined) return { kind: 'answered', answer: { ...answer, replayed: false } };
    const row = await findOperation(trx, scope, operation.id);
    if (row === undefined) throw operationNotFound(operation.id);
    // A refusal in a provider's words stands in the row alone, and in no history.
    if (outcome === 'applied' && row.problem !== null) throw refusalOfProblem(row.problem);
    return { kind: 'pending', operation: toOperationResource(row, undefined) };
  });
}

/** The answer that was given before, or the operation that stands for the command from now on. */
async function accept(
  trx: Transaction,
  actor: Actor,
  command: Command,
  claim: Claim,
): Promise<{ answer: StoredAnswer } | { operation: OperationRow | NewOperation }> {
  const { scope } = actor;
  const answer = await findStoredAnswer(trx, scope, claim);
  if (answer !== undefined) return { answer };
  const known = await findOperationOfKey(trx, scope, claim.key);
  if (known !== undefined) return { operation: await again(trx, actor, known, claim) };
  if (command.subscriptionId !== null) await requireSubscription(trx, scope, command.subscriptionId);
  await command.verify?.(trx);
  const operation: NewOperation = {
    id: newIdentifier('operation'),
    kind: command.kind,
    subscriptionId: command.subscriptionId,
    targetId: command.targetId,
    input: command.input,
    idempotencyKey: claim.key,
    fingerprint: claim.fingerprint,
    reason: actor.reason,
    operatorId: actor.operatorId,
    ip: actor.ip,
    requestId: actor.requestId,
    createdAt: actor.receivedAt,
  };
  if (await insertOperation(trx, scope, operation)) return { operation };
  const other = await findOperationOfKey(trx, scope, claim.key);
  if (other === undefined) throw new Error('An operation that holds its key is not there.');
  return { operation: await again(trx, actor, other, claim) };
}

async function again(
  trx: Transaction,
  actor: Actor,
  known: OperationRow,
  claim: Claim,
): Promise<OperationRow> {
  if (!known.fingerprint.equals(claim.fingerprint)) throw keyReused();
  await reopenOperation(trx, actor.scope, known.id, actor);
  return known.status === 'refused' ? { ...known, attempts: known.attempts + 1 } : known;
}

async function requireSubscription(trx: Transaction, scope: WorkspaceScope, id: string): Promise<void> {
  if (await subscriptionExists(trx, scope, id)) return;
  throw new TollgateError('subscription_not_found', `There is no subscription "${id}" in this environment.`);
}

function targetOf({ id, kind, subscriptionId, targetId }: NewOperation): CommandTarget {
  if (kind === 'refund') return { kind: 'refund', id: refundIdOf(id) };
  if (kind === 'create_checkout') return { kind: 'checkout', id: checkoutIdOf(id) };
  return { kind: 'subscription', id: subscriptionId ?? targetId };
}

/**
 * The operation's id is in it, so that a key that comes again after its answer was dropped is a new command; and the
 * attempt, so that a refusal which Temporal knows as an answer is decided anew.
 */
function updateIdOf(scope: WorkspaceScope, operation: NewOperation & { attempts?: number }): string {
  const { id, kind, subscriptionId, targetId, idempotencyKey, fingerprint, attempts = 1 } = operation;
  const what = [scope.workspaceId, scope.environment, subscriptionId ?? targetId, kind, id, idempotencyKey];
  if (attempts > 1) what.push(String(attempts));
  return createHash('sha256').update(JSON.stringify(what)).update(fingerprint).digest('hex');
}
