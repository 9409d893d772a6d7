import type { z } from 'zod';
import type { Database } from '../db/pools';
import { inWorkspace } from '../db/workspace-transaction';
import { TollgateError } from '../domain/errors';
import { mapPage, type Page } from '../pagination/cursor';
import { pageByCreation } from '../pagination/page-by-creation';
import { omitUndefined } from '../schemas/omit-undefined';
import type { Actor } from '../tenancy/actor';
import {
  toTransactionResource,
  type listTransactionsQuery,
  type TransactionResource,
} from './transaction-resource';
import { findTransaction, listTransactions } from './transaction-store';

/** Reads what subscriptions owe. */
export interface Transactions {
  /** Lists transactions, newest first. */
  list(actor: Actor, query: z.output<typeof listTransactionsQuery>): Promise<Page<TransactionResource>>;
  /** @throws TollgateError transaction_not_found */
  get(actor: Actor, id: string): Promise<TransactionResource>;
}

export function createTransactions(options: { database: Database; cursorSecret: string }): Transactions {
  const { database, cursorSecret } = options;
  return {
    list: ({ scope, reason }, { take, cursor, from, to, ...filters }) =>
      inWorkspace(database, scope, reason, async (trx) => {
        const list = { secret: cursorSecret, scope, list: 'transactions', filters, take, cursor, from, to };
        const page = await pageByCreation(list, (part) =>
          listTransactions(trx, scope, { ...omitUndefined(filters), ...part }),
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
