import type { Logger } from 'pino';
import type { Database, DbTransaction } from '../db/pools';
import { classifyFailure, isError } from '../db/failure';
import { setContext, setRequest } from '../db/workspace-transaction';
import { groupBy } from '../domain/group-by';
import { countPlatformAudits, type PlatformRecord } from '../platform-audit/platform-audit-store';
import { createBatch } from '../db/batch';
import type { ConnectionRef } from '../connections/connection-ref';
import { storableText } from './delivery';
import { countFailures, type DatedFailure } from './failure-store';
import { recordFailed } from './record-processed';

/** A refused webhook, recorded for the only connection it can be for, or else for the platform. */
type Refusal = { connection: ConnectionRef; failure: DatedFailure } | { platform: PlatformRecord };

export interface RefusalAudit {
  /** Resolves once the refusal is committed. @throws if it could not be committed */
  commit(refusal: Refusal): Promise<void>;
}

const PAUSE_MS = 20;
const MAX_AT_ONCE = 1_000;

/**
 * Commits the audit of refused webhooks. Refusals at about the same time share a transaction, so that a flood costs no
 * more transactions than a few webhooks.
 */
export function createRefusalAudit({ database, log }: { database: Database; log: Logger }): RefusalAudit {
  const batch = createBatch({ pauseMs: PAUSE_MS, most: MAX_AT_ONCE }, async (all: readonly Refusal[]) => {
    try {
      await database.transaction((trx) => writeAll(trx, all));
      return all.map(() => null);
    } catch (error) {
      // A transaction whose connection broke may have committed; a retry could count twice.
      if (classifyFailure(error) === 'connection') throw error;
      log.debug({ err: error }, 'refused webhooks are written by connection');
      return writeApart(database, all);
    }
  });
  return {
    async commit(refusal) {
      const error = await batch.add(refusal);
      if (error !== null) throw error;
    },
  };
}

/** Writes by connection, so that one connection's failure does not affect the others. */
async function writeApart(database: Database, all: readonly Refusal[]): Promise<(Error | null)[]> {
  const outcomes = new Map<Refusal, Error>();
  for (const group of groupBy(all, groupOf).values()) {
    try {
      await database.transaction((trx) => writeAll(trx, group));
    } catch (error) {
      for (const one of group) outcomes.set(one, isError(error) ? error : new Error(String(error)));
    }
  }
  return all.map((one) => outcomes.get(one) ?? null);
}

function groupOf(refusal: Refusal): string {
  return 'connection' in refusal ? refusal.connection.id : '';
}

async function writeAll(trx: DbTransaction, refusals: readonly Refusal[]): Promise<void> {
  const platform = refusals.flatMap((refusal) => ('platform' in refusal ? [refusal.platform] : []));
  if (platform.length > 0) await countPlatformAudits(trx, platform);
  const own = refusals.flatMap((refusal) => ('failure' in refusal ? [refusal] : []));
  // Sorted, because each takes its connection's lock and two processes could otherwise deadlock.
  const connections = [...groupBy(own, ({ connection }) => connection.id)].sort(([one], [other]) =>
    one < other ? -1 : 1,
  );
  for (const [, ofConnection] of connections) {
    const connection = ofConnection[0]?.connection;
    if (connection === undefined) continue;
    const { workspaceId, environment } = connection.scope;
    await setContext(trx, workspaceId, environment, 'SYSTEM');
    const failures = ofConnection.map(({ failure }) => ({
      ...failure,
      reason: storableText(failure.reason, 1_000),
    }));
    for (const { at, requestId, ...failure } of await countFailures(trx, connection, failures)) {
      await setRequest(trx, requestId);
      await recordFailed(trx, connection, { ...failure, webhookId: null }, at);
    }
  }
}
