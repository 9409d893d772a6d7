import type { Logger } from 'pino';
import type { WorkspaceScope } from '../tenancy/actor';
import { classifyFailure } from './failure';

/**
 * Works for each workspace, one after the other. If one fails, it is logged, and the first failure is thrown after the
 * others: one workspace must not hold up all. A failed connection ends the sweep, because the others would fail too.
 *
 * @param log null if the caller logs what is thrown
 */
export async function forEachWorkspace<Workspace extends Pick<WorkspaceScope, 'workspaceId'>>(
  workspaces: readonly Workspace[],
  log: Logger | null,
  work: (workspace: Workspace) => Promise<void>,
): Promise<void> {
  const failures: unknown[] = [];
  for (const workspace of workspaces) {
    try {
      await work(workspace);
    } catch (error) {
      if (classifyFailure(error) === 'connection') throw error;
      const about: object = { ...workspace, err: error };
      log?.error(about, 'maintenance of a workspace failed; the others go on');
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}
