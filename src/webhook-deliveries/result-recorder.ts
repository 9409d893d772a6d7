import type { Logger } from 'pino';
import type { WorkspaceScope } from '../tenancy/actor';
import { aFewAtOnce } from './a-few-at-once';
import type { Finished } from './record-results';

/** Collects what became of attempts, and writes it for each tenant together. */
export interface ResultRecorder {
  add(scope: WorkspaceScope, finished: Finished): void;
  /** Writes what is collected, and waits until all is written. */
  flush(): Promise<void>;
}

/** How long results wait for others of their tenant. */
const GATHER_MS = 200;
/** Results in one transaction. */
const BATCH = 200;
/** Tenants whose results are written at the same time. */
const WRITTEN_AT_ONCE = 2;

/**
 * @param record writes results of one tenant. What it cannot write is lost here: the lease of such a delivery ends, and
 *   it is sent again.
 */
export function createResultRecorder(
  record: (scope: WorkspaceScope, finished: readonly Finished[]) => Promise<void>,
  log: Logger,
): ResultRecorder {
  const waiting = new Map<string, { scope: WorkspaceScope; finished: Finished[] }>();
  const writing = new Set<Promise<unknown>>();
  let timer: NodeJS.Timeout | undefined;

  const write = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const batches = [...waiting.values()];
    waiting.clear();
    const work = aFewAtOnce(batches, WRITTEN_AT_ONCE, ({ scope, finished }) =>
      record(scope, finished).catch((error: unknown) => {
        log.error(
          { err: error, attempts: finished.length },
          'results of webhooks could not be written; they are sent again',
        );
      }),
    );
    writing.add(work);
    void work.finally(() => writing.delete(work));
  };

  return {
    add: ({ workspaceId, environment }, finished) => {
      const key = `${workspaceId} ${environment}`;
      const batch = waiting.get(key) ?? { scope: { workspaceId, environment }, finished: [] };
      batch.finished.push(finished);
      waiting.set(key, batch);
      if (batch.finished.length >= BATCH) write();
      else timer ??= setTimeout(write, GATHER_MS);
    },
    flush: async () => {
      write();
      await Promise.all(writing);
    },
  };
}
