import type { Clock } from '../clock/system-clock';
import type { Database } from '../db/pools';
import { inWorkspace } from '../db/workspace-transaction';
import type { WorkspaceScope } from '../tenancy/actor';
import { isRefusal, toRetryableError } from './command-errors';
import { markRefused } from './conclude-operation-store';
import { toOperationProblem } from './operation-problem';

/**
 * Runs the transaction of a command. A refusal rolls it back, is stored on the operation in a second transaction, and
 * is rethrown.
 *
 * @throws TollgateError the refusal; any other error can be retried
 */
export async function storingRefusal<Result>(
  { database, clock }: { database: Database; clock: Clock },
  scope: WorkspaceScope,
  operationId: string,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!isRefusal(error)) throw toRetryableError(error);
    await inWorkspace(database, scope, 'SYSTEM', (trx) =>
      markRefused(trx, scope, operationId, toOperationProblem(error), clock.now()),
    );
    throw error;
  }
}
