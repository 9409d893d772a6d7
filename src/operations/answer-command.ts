import { isRefusal } from './command-errors';
import type { Clock } from '../clock/clock';
import type { Database, DbTransaction } from '../db/pools';
import { inWorkspace } from '../db/workspace-transaction';
import { isTollgateError } from '../domain/errors';
import { findStoredAnswer, type Claim } from '../idempotency/idempotency-store';
import type { Actor, WorkspaceScope } from '../tenancy/scope';
import { abandonedError, unknownOutcomeError } from './abandonment-errors';
import { toOperationResource } from './operation-resource';
import { abandonOperation, acceptOperation, hasStarted } from './operation-state-store';
import { lockOperation, type OperationRow } from './operation-store';
import { fromOperationProblem } from './operation-problem';
import { operationNotFound } from './read-operation';
import type { SubmitResult } from './submit-result';

/** What became of sending a command. */
export type SendResult = { kind: 'applied' } | { kind: 'pending' } | { kind: 'failed'; error: unknown };

type Decision = SubmitResult | { kind: 'refused'; error: unknown };

/**
 * Decides what the caller is told, and makes it true before it is said: a 202 leaves a job that sends the command until
 * it has ended, and a failure gives it up, so that nothing is done of it afterwards. Where it cannot be given up any
 * more it is accepted, or has an answer by now.
 *
 * @throws TollgateError the refusal, or what the sending failed with; internal_error when nobody knows which was written
 */
export async function answerCommand(
  { database, clock }: { database: Database; clock: Clock },
  { scope, reason }: Actor,
  operation: OperationRow,
  claim: Claim,
  sending: SendResult,
): Promise<SubmitResult> {
  // The refusal stands in its row already.
  if (sending.kind === 'failed' && isRefusal(sending.error)) throw sending.error;
  let decision: Decision | undefined;
  try {
    await inWorkspace(database, scope, reason, async (trx) => {
      const row = await lockOperation(trx, scope, operation.id);
      if (row === undefined) throw operationNotFound(operation.id);
      decision = await decide(trx, scope, row, claim, sending, clock.now());
    });
  } catch (error) {
    if (isTollgateError(error)) throw error;
    // The commit's own answer was lost: it may have been given up, so that 202 would promise too much, and 503 too
    // little.
    if (decision?.kind === 'refused' && sending.kind === 'failed') throw unknownOutcomeError(error);
    // It was not given up, and what is pending is found and sent again.
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
  claim: Claim,
  sending: SendResult,
  now: number,
): Promise<Decision> {
  switch (row.status) {
    case 'succeeded': {
      const answer = await findStoredAnswer(trx, scope, claim);
      if (answer !== undefined) return { kind: 'answered', answer: { ...answer, replayed: false } };
      return { kind: 'pending', operation: toOperationResource(row, undefined) };
    }
    case 'refused':
      // A refusal in a provider's words stands in the row alone, and in no history.
      if (row.problem === null) throw new Error(`The refused operation ${row.id} has no problem.`);
      return { kind: 'refused', error: fromOperationProblem(row.problem) };
    case 'abandoned':
      return {
        kind: 'refused',
        error: sending.kind === 'failed' && isTollgateError(sending.error) ? sending.error : abandonedError(),
      };
    case 'pending':
      if (sending.kind === 'failed' && !(await hasStarted(trx, scope, row))) {
        await abandonOperation(trx, scope, row, now);
        return { kind: 'refused', error: sending.error };
      }
      break;
    case 'accepted':
  }
  await acceptOperation(trx, scope, row);
  return { kind: 'pending', operation: toOperationResource({ ...row, status: 'accepted' }, undefined) };
}
