import type { z } from 'zod';
import type { Clock } from '../clock/system-clock';
import type { ConnectionOpening } from '../connections/open-connection';
import type { Logger } from 'pino';
import { recordAudit } from '../audit/audit-store';
import { listAllConnections } from '../connections/connection-store';
import type { Database } from '../db/pools';
import { inWorkspace, inWorkspaceFor } from '../db/workspace-transaction';
import { TollgateError } from '../domain/errors';
import { runOnce, type Claim, type StoredAnswer } from '../idempotency/idempotency-store';
import { mapPage, type Page } from '../pagination/cursor';
import { pageByCreation } from '../pagination/page-by-creation';
import { omitUndefined } from '../schemas/omit-undefined';
import type { Reconciler } from '../subscriptions/at-provider/reconciler';
import type { Actor } from '../tenancy/actor';
import { settlePeriod } from './settle-period';
import { createSettlementCollection, NOTHING_COLLECTED } from './settlement-collection';
import type { Collected, Collection } from './settlement-collection-schema';
import {
  toSettlementResource,
  toSettlementWithLines,
  type CreateSettlementInput,
  type listSettlementsQuery,
  type SettlementResource,
  type SettlementWithLines,
} from './settlement-resource';
import { listSettlementLines } from './settlement-line-store';
import { listNamedLines } from './settlement-named-line-store';
import { findSettlement, listSettlements } from './settlement-store';
import type { ProviderAdapters } from '../providers/provider-adapter';

/** Maximum number of lines shown with a settlement. */
const SHOWN_LINES = 1_000;

export interface Settlements {
  /** Lists settlements, newest first. @throws TollgateError cursor_invalid */
  list(actor: Actor, query: z.output<typeof listSettlementsQuery>): Promise<Page<SettlementResource>>;
  /** @throws TollgateError settlement_not_found */
  get(actor: Actor, id: string): Promise<SettlementWithLines>;
  /**
   * Settles a period once for the claim.
   *
   * @throws TollgateError settlement_overlaps, settlement_empty, settlement_too_large, validation_failed
   */
  create(actor: Actor, input: CreateSettlementInput, claim: Claim): Promise<StoredAnswer>;
  /**
   * Asks the providers of the environment's connections for their settlements now. A failure of one is reported in its
   * answer and does not delay the others.
   */
  collect(actor: Actor): Promise<Collection>;
}

export function createSettlements(
  options: ConnectionOpening & {
    database: Database;
    cursorSecret: string;
    providerAdapters: ProviderAdapters;
    clock: Clock;
    reconciler: Reconciler;
    log: Logger;
  },
): Settlements {
  const { database, cursorSecret: secret, log } = options;
  const collection = createSettlementCollection(options);
  return {
    list: ({ scope, reason }, { take, cursor, from, to, ...filters }) =>
      inWorkspace(database, scope, reason, async (trx) => {
        const page = await pageByCreation(
          { secret, scope, list: 'settlements', filters, take, cursor, from, to },
          (part) => listSettlements(trx, scope, { ...omitUndefined(filters), ...part }),
        );
        return mapPage(page, toSettlementResource);
      }),

    get: ({ scope, reason }, id) =>
      inWorkspace(database, scope, reason, async (trx) => {
        const row = await findSettlement(trx, scope, { id }, 'read');
        if (row === undefined) {
          throw new TollgateError(
            'settlement_not_found',
            `There is no settlement "${id}" in this environment.`,
          );
        }
        const lines = await listSettlementLines(trx, scope, id, SHOWN_LINES + 1);
        const unmatched = await listNamedLines(trx, scope, id, { unmatched: true, limit: SHOWN_LINES + 1 });
        return toSettlementWithLines(row, lines, unmatched, SHOWN_LINES);
      }),

    create: (actor, input, claim) =>
      inWorkspaceFor(database, actor, (trx) =>
        runOnce(trx, actor.scope, claim, actor.receivedAt, async () => ({
          status: 201,
          body: toSettlementResource(await settlePeriod(trx, actor, input)),
        })),
      ),

    async collect(actor) {
      const { scope, reason } = actor;
      const rows = await inWorkspace(database, scope, reason, (trx) => listAllConnections(trx, scope));
      const usable = rows.filter((row) => row.disabled_at === null && row.key_id !== null);
      const data = await Promise.all(
        usable.map(({ id, provider }) =>
          collection.collect(scope, id, actor.requestId).catch((error: unknown): Collected => {
            log.warn({ err: error, connectionId: id }, 'settlements could not be collected');
            const reason = 'It failed on our side. Try again.';
            return { connectionId: id, provider, status: 'failed', ...NOTHING_COLLECTED, reason };
          }),
        ),
      );
      await inWorkspace(database, scope, reason, (trx) =>
        recordAudit(trx, actor, { action: 'settlements.collected', target: null, detail: { data } }),
      );
      return { data };
    },
  };
}
