import type { Logger } from 'pino';
import type { Database } from '../db/pools';
import { inWorkspace } from '../db/workspace-transaction';
import type { Instant } from '../domain/instant';
import type { WorkspaceScope } from '../tenancy/actor';
import { touchApiKeys } from './api-key-store';

/** Precision of `last_used_at`: each process writes it at most this often per key. */
const EVERY_MS = 60_000;
/** Uses are collected this long and written together, outside the calls that made them. */
const GATHER_MS = 1_000;

interface Use {
  scope: WorkspaceScope;
  id: string;
  at: Instant;
}

/** Records that keys are used, without delaying any call. */
export interface LastUsed {
  note(scope: WorkspaceScope, apiKeyId: string, now: Instant): void;
  /** Writes what was collected. The database must still be open. */
  stop(): Promise<void>;
}

export function createLastUsed(dependencies: { database: Database; log: Logger }): LastUsed {
  const { database, log } = dependencies;
  const noted = new Map<string, Instant>();
  const pending = new Map<string, Use>();
  let timer: NodeJS.Timeout | undefined;
  let writing = Promise.resolve();

  async function write(uses: readonly Use[]): Promise<void> {
    for (const [scope, group] of byWorkspace(uses)) {
      try {
        await inWorkspace(database, scope, 'SYSTEM', (trx) => touchApiKeys(trx, scope, group));
      } catch (error) {
        // The next use records it again. Nothing depends on it.
        for (const { id } of group) noted.delete(id);
        log.warn({ err: error }, 'when API keys were last used could not be written');
      }
    }
  }

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const uses = [...pending.values()];
    pending.clear();
    const newest = Math.max(...uses.map(({ at }) => at));
    for (const [id, at] of noted) if (at <= newest - EVERY_MS) noted.delete(id);
    writing = writing.then(() => write(uses));
    return writing;
  }

  return {
    note(scope, id, now) {
      const before = noted.get(id);
      if (before !== undefined && now - before < EVERY_MS) return;
      noted.set(id, now);
      pending.set(id, { scope, id, at: now });
      timer ??= setTimeout(() => void flush(), GATHER_MS).unref();
    },
    stop: flush,
  };
}

function byWorkspace(uses: readonly Use[]): Iterable<[WorkspaceScope, Use[]]> {
  const groups = new Map<string, [WorkspaceScope, Use[]]>();
  for (const use of uses) {
    const key = `${use.scope.workspaceId}|${use.scope.environment}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [use.scope, [use]]);
    else group[1].push(use);
  }
  return groups.values();
}
