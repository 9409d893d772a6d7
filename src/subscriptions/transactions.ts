import type { z } from 'zod';
import type { Database } from '../db/pools';
import { inWorkspace } from '../db/workspace-transaction';
import { TollgateError } from '../domain/errors';
import { decodeCursor, encodeCursor, mapPage, pageOf, type Page } from '../pagination/cursor';
import { given } from '../schemas/given';
import type { Actor } from '../tenancy/scope';
import {
  toTransactionResource,
  type listTransactionsQuery,
  type TransactionResource,
} from './transaction-resource';
import { findTransaction, listTransactions } from './transaction-store';

/** What subscriptions owe, for readers. */
export interface Transactions {
  /** Newest first. */
  list(actor: Actor, query: z.output<typeof listTransactionsQuery>): Promise<Page<TransactionResource>>;
  /** @throws TollgateError transaction_not_found */
  get(actor: Actor, id: string): Promise<TransactionResource>;
}

export function createTransactions(options: { database: Database; cursorSecret: string }): Transactions {
  const { database, cursorSecret } = options;
  return {
    list: ({ scope, reason }, { take, cursor, ...filters }) =>
      inWorkspace(database, scope, reason, async (trx) => {
        const binding = { ...scope, list: 'transactions', filters };
        const [createdAt, id] = cursor === undefined ? [] : decodeCursor(cursorSecret, binding, cursor);
        const before = id === undefined ? {} : { before: { createdAt: Number(createdAt), id: String(id) } };
        const rows = await listTransactions(trx, scope, { ...given(filters), ...before, limit: take + 1 });
        const page = pageOf(rows, take, (last) =>
          encodeCursor(cursorSecret, binding, [last.createdAt, last.id]),
        );
        return mapPage(page, toTransactionResource);
      }),

    get: ({ scope, reason }, id) =>
      inWorkspace(database, scope, reason, async (trx) => {
        const row = await findTransaction(trx, scope, id, 'read');
        if (row !== undefined) return toTransactionResource(row);
        throw new TollgateError(
          'transaction_not_found',
          `There is no transaction "${id}" in this environment.`,
        );
      }),
  };
}
