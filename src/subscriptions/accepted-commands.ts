import type { Instant } from '../domain/instant';
import type { WorkspaceScope } from '../tenancy/actor';

/** Runs commands that were accepted before a step. */
export interface AcceptedCommands {
  /**
   * Applies each of these operations, in order. One that is refused, or fails through an internal error, is skipped.
   *
   * @param at the workspace's time
   */
  runAccepted(scope: WorkspaceScope, operationIds: readonly string[], at: Instant): Promise<void>;
}

/** The result of a step, or the accepted commands (operation IDs, in order) that have to run before it. */
export type StepAttempt<T> = { state: T } | { behind: readonly string[] };

/**
 * Takes a step after the accepted commands that were submitted before its instant: what a customer was told is accepted
 * is not lost to a renewal or a deadline that happens to run first.
 *
 * @param at the workspace's time
 * @param attempt takes the step in a transaction of its own. If its argument is false, it does nothing and returns the
 *   commands when there are any; if true, they have run, and it takes the step whatever became of them.
 */
export async function takeAfterAccepted<T>(
  commands: AcceptedCommands,
  scope: WorkspaceScope,
  at: Instant,
  attempt: (passed: boolean) => Promise<StepAttempt<T>>,
): Promise<T> {
  for (let passed = false; ; passed = true) {
    const attempted = await attempt(passed);
    if ('state' in attempted) return attempted.state;
    await commands.runAccepted(scope, attempted.behind, at);
  }
}
