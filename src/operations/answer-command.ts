import type { Instant } from '../domain/instant';
import { isRefusal } from './command-errors';
import type { Clock } from '../clock/system-clock';
import type { Database, DbTransaction } from '../db/pools';
import { inWorkspace, inWorkspaceAtOnce } from '../db/workspace-transaction';
import { isTollgateError } from '../domain/errors';
import { commandAnswerCall, findStoredAnswer, type Claim } from '../idempotency/idempotency-store';
import type { Actor, WorkspaceScope } from '../tenancy/actor';
import { abandonedError, unknownOutcomeError } from './abandonment-errors';
import { toOperationResource } from './operation-resource';
import { markAbandoned } from './conclude-operation-store';
import { acceptOperation, hasStarted } from './operation-state-store';
import { lockOperation, type OperationRow } from './operation-store';
import { fromOperationProblem } from './operation-problem';
import { operationNotFound } from './read-operation';
import type { SubmitResult } from './submit-result';

/** The result of sending a command to its workflow. */
export type SendResult = { kind: 'applied' } | { kind: 'pending' } | { kind: 'failed'; error: unknown };

type Decision = SubmitResult | { kind: 'refused'; error: unknown };

/**
 * Decides a command's answer, and commits its consequence before the answer is sent: 202 enqueues the job that sends
 * the command until it has ended; 503 abandons the operation, so that it cannot run afterwards. An operation that has
 * started cannot be abandoned: it is accepted instead, or already has its answer.
 *
 * @throws TollgateError the refusal, or the error of sending it; internal_error if the commit's result was lost
 */
export async function answerCommand(
  { database, clock }: { database: Database; clock: Clock },
  { scope, reason }: Actor,
  operation: OperationRow,
  claim: Claim,
  sending: SendResult,
): Promise<SubmitResult> {
  // The worker has already stored the refusal.
  if (sending.kind === 'failed' && isRefusal(sending.error)) throw sending.error;
  let decision: Decision | undefined;
  try {
    if (sending.kind === 'applied') {
      // The answer is stored and nothing remains to be decided, so no lock is needed.
      const [answer] = await inWorkspaceAtOnce(database, scope, reason, [commandAnswerCall(scope, claim)]);
      if (answer !== undefined) return { kind: 'answered', answer: { ...answer, replayed: false } };
    }
    await inWorkspace(database, scope, reason, async (trx) => {
      const row = await lockOperation(trx, scope, operation.id);
      if (row === undefined) throw operationNotFound(operation.id);
      decision = await decide(trx, scope, row, { claim, sending, now: clock.now() });
    });
  } catch (error) {
    if (isTollgateError(error)) throw error;
    // The commit's result was lost: the operation may or may not be abandoned, so neither 202 nor 503 would be true.
    if (decision?.kind === 'refused' && sending.kind === 'failed') throw unknownOutcomeError(error);
    // It was not abandoned, and maintenance requeues pending operations.
    return { kind: 'pending', operation: toOperationResource(operation, undefined) };
  }
  if (decision === undefined) throw new Error('A command was answered without a decision.');
  if (decision.kind === 'refused') throw decision.error;
  return decision;
}

async function decide(
  trx: DbTransaction,
  scope: WorkspaceScope,
  row: OperationRow,
  { claim, sending, now }: { claim: Claim; sending: SendResult; now: Instant },
): Promise<Decision> {
  switch (row.status) {
    case 'succeeded': {
      const answer = await findStoredAnswer(trx, scope, claim);
      if (answer !== undefined) return { kind: 'answered', answer: { ...answer, replayed: false } };
      return { kind: 'pending', operation: toOperationResource(row, undefined) };
    }
    case 'refused':
      // A refusal that quotes a provider is stored only in the row, never in a workflow's history.
      if (row.problem === null) throw new Error(`The refused operation ${row.id} has no problem.`);
      return { kind: 'refused', error: fromOperationProblem(row.problem) };
    case 'abandoned':
      return {
        kind: 'refused',
        error: sending.kind === 'failed' && isTollgateError(sending.error) ? sending.error : abandonedError(),
      };
    case 'pending':
      if (sending.kind === 'failed' && !(await hasStarted(trx, scope, row.id))) {
        await markAbandoned(trx, scope, row.id, now);
        return { kind: 'refused', error: sending.error };
      }
      break;
    case 'accepted':
  }
  await acceptOperation(trx, scope, row);
  return { kind: 'pending', operation: toOperationResource({ ...row, status: 'accepted' }, undefined) };
}
