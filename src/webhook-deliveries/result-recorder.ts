import type { Logger } from 'pino';
import type { WorkspaceScope } from '../tenancy/actor';
import type { Finished } from './record-results';

/** Collects the outcomes of attempts, and writes them in batches by tenant. */
export interface ResultRecorder {
  add(scope: WorkspaceScope, finished: Finished): void;
  /** Writes everything collected, and waits until all writes have finished. */
  flush(): Promise<void>;
}

/** How long results wait for others of the same tenant. */
const GATHER_MS = 200;
/** Results in one transaction. */
const BATCH = 200;

/**
 * @param record writes results of one tenant. Results it fails to write are lost here: the lease of such a delivery
 *   expires, and it is sent again.
 */
export function createResultRecorder(
  record: (scope: WorkspaceScope, finished: readonly Finished[]) => Promise<void>,
  log: Logger,
): ResultRecorder {
  const waiting = new Map<string, Gathering>();
  const writing = new Set<Promise<void>>();

  const write = (key: string, { scope, finished, timer }: Gathering): void => {
    clearTimeout(timer);
    waiting.delete(key);
    const work = record(scope, finished).catch((error: unknown) => {
      log.error(
        { ...scope, err: error, attempts: finished.length },
        'results of webhooks could not be written; they are sent again',
      );
    });
    writing.add(work);
    void work.finally(() => writing.delete(work));
  };

  return {
    add: ({ workspaceId, environment }, finished) => {
      const key = `${workspaceId} ${environment}`;
      let batch = waiting.get(key);
      if (batch === undefined) {
        const begun: Gathering = {
          scope: { workspaceId, environment },
          finished: [],
          timer: setTimeout(() => {
            write(key, begun);
          }, GATHER_MS),
        };
        waiting.set(key, begun);
        batch = begun;
      }
      batch.finished.push(finished);
      if (batch.finished.length >= BATCH) write(key, batch);
    },
    flush: async () => {
      for (const [key, batch] of waiting) write(key, batch);
      await Promise.all(writing);
    },
  };
}

/** Results of one tenant that are waiting to be written. */
interface Gathering {
  scope: WorkspaceScope;
  finished: Finished[];
  timer: NodeJS.Timeout;
}
