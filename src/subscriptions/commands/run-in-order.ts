import type { Instant } from '../../domain/instant';
import { OperationAbandonedError } from '../../operations/abandonment-errors';
import { isDefect, isRefusal } from '../../operations/command-errors';
import type { WorkspaceScope } from '../../tenancy/actor';
import { runOperation, type OperationRunResult, type RunOptions } from './run-operation';

/**
 * Applies an operation after the earlier open ones of its subscription. After an outage each operation is resent at its
 * own intervals, so a later one may arrive first: a cancellation must not undo the reactivation submitted after it. An
 * earlier one that is refused, or fails through an internal error, is skipped.
 *
 * @returns `due` and `claimed` may be about an earlier operation: the caller then runs this one again
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

/**
 * Applies accepted operations of a subscription, in order, before one of its time steps. One that is refused, or fails
 * through an internal error, is skipped.
 */
export async function runAccepted(
  options: RunOptions,
  scope: WorkspaceScope,
  operationIds: readonly string[],
  at: Instant,
): Promise<void> {
  for (const id of operationIds) await runInOrder(options, scope, id, at).catch(ignoreItsOwn);
}

/**
 * Rethrows an error that a retry may overcome. Any other error belongs to that command alone, and its next sending
 * reports it.
 */
function ignoreItsOwn(error: unknown): undefined {
  if (!isRefusal(error) && !(error instanceof OperationAbandonedError) && !isDefect(error)) throw error;
}
