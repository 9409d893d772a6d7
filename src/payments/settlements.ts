import type { z } from 'zod';
import type { Database } from '../db/pools';
import { inWorkspace } from '../db/workspace-transaction';
import { TollgateError } from '../domain/errors';
import { runOnce, type Claim, type StoredAnswer } from '../idempotency/idempotency-store';
import { mapPage, type Page } from '../pagination/cursor';
import { pageByCreation } from '../pagination/page-by-creation';
import { given } from '../schemas/given';
import type { Actor } from '../tenancy/scope';
import { settlePeriod } from './settle-period';
import {
  toSettlementResource,
  toSettlementWithLines,
  type CreateSettlementInput,
  type listSettlementsQuery,
  type SettlementResource,
  type SettlementWithLines,
} from './settlement-resource';
import { findSettlement, listSettlementLines, listSettlements } from './settlement-store';

/** Of a settlement's lines, this many are shown with it. */
const SHOWN_LINES = 1_000;

export interface Settlements {
  /** Newest first. @throws TollgateError cursor_invalid */
  list(actor: Actor, query: z.output<typeof listSettlementsQuery>): Promise<Page<SettlementResource>>;
  /** @throws TollgateError settlement_not_found */
  get(actor: Actor, id: string): Promise<SettlementWithLines>;
  /**
   * Settles a period once for the claim.
   *
   * @throws TollgateError settlement_overlaps, settlement_empty, validation_failed
   */
  create(actor: Actor, input: CreateSettlementInput, claim: Claim): Promise<StoredAnswer>;
}

export function createSettlements(options: { database: Database; cursorSecret: string }): Settlements {
  const { database, cursorSecret: secret } = options;
  return {
    list: ({ scope, reason }, { take, cursor, ...filters }) =>
      inWorkspace(database, scope, reason, async (trx) => {
        const page = await pageByCreation(
          { secret, scope, list: 'settlements', filters, take, cursor },
          (part) => listSettlements(trx, scope, { ...given(filters), ...part }),
        );
        return mapPage(page, toSettlementResource);
      }),

    get: ({ scope, reason }, id) =>
      inWorkspace(database, scope, reason, async (trx) => {
        const row = await findSettlement(trx, scope, id);
        if (row === undefined) {
          throw new TollgateError(
            'settlement_not_found',
            `There is no settlement "${id}" in this environment.`,
          );
        }
        const lines = await listSettlementLines(trx, scope, id, SHOWN_LINES + 1);
        return toSettlementWithLines(row, lines, SHOWN_LINES);
      }),

    create: (actor, input, claim) =>
      inWorkspace(database, actor.scope, actor.reason, (trx) =>
        runOnce(trx, actor.scope, claim, actor.receivedAt, async () => ({
          status: 201,
          body: toSettlementResource(await settlePeriod(trx, actor, input)),
        })),
      ),
  };
}
