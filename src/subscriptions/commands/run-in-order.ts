import { classifyFailure } from '../../db/failure';
import { isTollgateError } from '../../domain/errors';
import type { Instant } from '../../domain/instant';
import { OperationAbandonedError } from '../../operations/abandonment-errors';
import { isRefusal } from '../../operations/command-errors';
import type { WorkspaceScope } from '../../tenancy/actor';
import { runOperation, type OperationRunResult, type RunOptions } from './run-operation';

/**
 * Applies an operation after the open ones of its subscription that were submitted before it. What sends commands again
 * after an outage has a later one arrive first: a cancellation would undo the reactivation that was asked for after it.
 * One that is refused, or fails by a fault of ours, holds up none of the others.
 *
 * @returns `due` and `claimed` also where an earlier one has come so far: it goes on before this one
 */
export async function runInOrder(
  options: RunOptions,
  scope: WorkspaceScope,
  operationId: string,
  at: Instant,
): Promise<OperationRunResult> {
  const passed = new Set<string>();
  const run = async (id: string): Promise<OperationRunResult> => {
    for (;;) {
      const turn = await runOperation(options, scope, id, at, passed);
      if (turn.kind !== 'behind') return turn;
      for (const earlier of turn.earlier) {
        passed.add(earlier);
        const result = await run(earlier).catch(ignoreItsOwn);
        if (result !== undefined && result.kind !== 'applied') return result;
      }
    }
  };
  return run(operationId);
}

/** Rethrows trouble of the moment, which the next try may not meet. The rest is told to who sends that command. */
function ignoreItsOwn(error: unknown): undefined {
  if (isRefusal(error) || error instanceof OperationAbandonedError) return;
  const isPassing = error instanceof Error && isTollgateError(error.cause);
  if (isPassing || classifyFailure(error) !== 'defect') throw error;
}
