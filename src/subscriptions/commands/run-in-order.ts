import type { Instant } from '../../domain/instant';
import { OperationAbandonedError } from '../../operations/abandonment-errors';
import { isDefect, isRefusal } from '../../operations/command-errors';
import type { WorkspaceScope } from '../../tenancy/actor';
import { runOperation, type OperationRunResult, type RunOptions } from './run-operation';

/**
 * Applies an operation after those of its subscription that were accepted before it and are still open. After an outage
 * each is sent again at its own pauses, so that a later one may arrive first: a cancellation must not undo the
 * reactivation that was submitted after it. An earlier one that is refused, or fails by a fault of ours, is passed over.
 *
 * @returns `due` and `claimed` of an earlier one too: the caller then runs this one again
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

/** Rethrows a failure that a retry may not meet. Any other is that command's own, and its next sending reports it. */
function ignoreItsOwn(error: unknown): undefined {
  if (!isRefusal(error) && !(error instanceof OperationAbandonedError) && !isDefect(error)) throw error;
}
