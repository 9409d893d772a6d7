import type { Clock } from '../clock/system-clock';
import { workspaceTime } from '../clock/sandbox-clock-store';
import { findConnection, readCollectedUntil, saveCollectedUntil } from '../connections/connection-store';
import { openConnection, type ConnectionOpening } from '../connections/open-connection';
import type { Database, DbTransaction } from '../db/pools';
import { inWorkspace, inWorkspaceFor } from '../db/workspace-transaction';
import { isTollgateError } from '../domain/errors';
import { DAY_MS, type Instant } from '../domain/instant';
import type { SettlementFacts } from '../providers/canonical-event';
import type { SettlementRange } from '../providers/provider-operations';
import type { Reconciler } from '../subscriptions/at-provider/reconciler';
import type { WorkspaceScope } from '../tenancy/actor';
import type { Collected } from './settlement-collection-schema';
import { importRefunds } from './refund-import';
import { importDisputes, importUnknownMoney } from './settlement-import';
import { recordSettlement } from './settlement-recording';
import { lastSettledAt } from './settlement-store';
import type { ProviderAdapters } from '../providers/provider-adapter';
import type { PaymentProvider } from '../domain/provider';

/** Fetches the settlements of providers that send no webhooks for them. */
export interface SettlementCollection {
  /**
   * Asks a connection's provider for the settlements since the last collection, and records each once, in a transaction
   * of its own. Refusals by the provider or the connection's credentials are reported in the answer.
   *
   * @param requestId of the request that asks for it; null if a timer does
   */
  collect(scope: WorkspaceScope, connectionId: string, requestId: string | null): Promise<Collected>;
}

/**
 * Overlap of each range with the previous one: reports come hours late, and a payout may be marked as paid days after
 * its date. Provider B reports a cheque under the day on which it was written, once it has cleared: after six working
 * days, between which there may be holidays. Known settlements are recognized by their reference.
 */
const OVERLAP_MS: Readonly<Record<PaymentProvider, number>> = {
  provider_a: 7 * DAY_MS,
  provider_b: 21 * DAY_MS,
  provider_c: 7 * DAY_MS,
};

/** Counts of a collection that recorded nothing. */
export const NOTHING_COLLECTED = { recorded: 0, changed: 0, imported: 0, unattributed: 0 } as const;

interface CollectionOptions extends ConnectionOpening {
  database: Database;
  providerAdapters: ProviderAdapters;
  clock: Clock;
  reconciler: Reconciler;
}

export function createSettlementCollection(options: CollectionOptions): SettlementCollection {
  const { database, providerAdapters, clock, reconciler } = options;
  return {
    async collect(scope, connectionId, requestId) {
      const answer = { connectionId, provider: null, ...NOTHING_COLLECTED, reason: null };
      try {
        const { provider, access, range } = await inWorkspace(database, scope, 'SYSTEM', (trx) =>
          prepare(trx, options, scope, connectionId),
        );
        const connection = { scope, id: connectionId, provider };
        const adapter = providerAdapters[provider];
        const importing = {
          database,
          clock,
          reconciler,
          connection,
          requestId,
          provider: { adapter, access },
        };
        // Before the settlements, whose lines then match.
        const refunds = await importRefunds(importing, range.from);
        const outcome = await adapter.listSettlements(access, range);
        if (outcome.kind !== 'done') {
          const status = outcome.kind === 'unsupported' ? 'unsupported' : 'failed';
          // Disputes are a separate list, which credentials without access to settlements may still read.
          const disputes = await importDisputes(importing, range.to);
          const imported = refunds.imported + disputes.imported;
          return { ...answer, provider, status, imported, reason: reasonOf(outcome) };
        }
        const { ids, ...counts } = await recordAll(options, connection, outcome.value, requestId);
        const found = await importUnknownMoney(importing, ids, range.to);
        await inWorkspace(database, scope, 'SYSTEM', (trx) =>
          saveCollectedUntil(trx, scope, connectionId, range.to),
        );
        const imported = refunds.imported + found.imported;
        const reason = refunds.reason ?? found.reason;
        return { ...answer, provider, status: 'collected', ...counts, ...found, imported, reason };
      } catch (error) {
        if (!isTollgateError(error)) throw error;
        return { ...answer, status: 'failed', reason: error.message };
      }
    },
  };
}

async function prepare(
  trx: DbTransaction,
  { clock, ...opening }: CollectionOptions,
  scope: WorkspaceScope,
  connectionId: string,
) {
  const opened = await openConnection(trx, opening, scope, connectionId);
  const now = await workspaceTime(trx, scope, clock.now());
  const since = await collectSince(trx, scope, connectionId);
  const from = Math.min(since ?? now, now) - OVERLAP_MS[opened.provider];
  const range: SettlementRange = { from, to: now };
  return { ...opened, range };
}

/**
 * Returns the start of the range to ask for, before the overlap is added. A known settlement does not prove that all
 * earlier ones are known, because a webhook may have reported it. If the last one is old, the next may have been in
 * transit since.
 */
async function collectSince(
  trx: DbTransaction,
  scope: WorkspaceScope,
  connectionId: string,
): Promise<Instant | undefined> {
  const collectedUntil = await readCollectedUntil(trx, scope, connectionId);
  if (collectedUntil === null) return (await findConnection(trx, scope, connectionId))?.created_at;
  const last = await lastSettledAt(trx, scope, connectionId);
  return Math.min(last ?? collectedUntil, collectedUntil);
}

async function recordAll(
  { database, clock }: CollectionOptions,
  connection: { scope: WorkspaceScope; id: string; provider: PaymentProvider },
  settlements: readonly SettlementFacts[],
  requestId: string | null,
): Promise<Pick<Collected, 'recorded' | 'changed'> & { ids: string[] }> {
  const counts = { recorded: 0, changed: 0 };
  const ids: string[] = [];
  for (const facts of settlements) {
    if (facts.status === 'pending') continue;
    const { scope } = connection;
    const caller = { scope, reason: 'SYSTEM', requestId } as const;
    const { what, row } = await inWorkspaceFor(database, caller, async (trx) => {
      const recordedAt = clock.now();
      const now = await workspaceTime(trx, scope, recordedAt);
      return recordSettlement({ trx, connection, now, recordedAt }, facts);
    });
    ids.push(row.id);
    if (what !== 'known') counts[what] += 1;
  }
  return { ...counts, ids };
}

function reasonOf(outcome: { kind: string; reason?: string }): string {
  return outcome.reason ?? `The provider answered the list request with ${outcome.kind}.`;
}
