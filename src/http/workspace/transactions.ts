import { z } from 'zod';
import { expandQuery } from '../../expansion/expanded-resource';
import { expandOne, expandPage } from './expansion';
import { pageSchema } from '../../pagination/page-schema';
import { idParams } from '../../schemas/text';
import type { Services } from '../../service/services';
import { listTransactionsQuery, transactionSchema } from '../../subscriptions/transaction-resource';
import { mountedRoute, type MountedRoute } from '../mounted-route';

const expandable = expandQuery(['customer']);
const tag = 'Transactions';

/** `/api/billing/transactions` */
export function transactionRoutes({
  expand,
  transactions,
}: Pick<Services, 'expand' | 'transactions'>): MountedRoute[] {
  return [
    mountedRoute({
      method: 'get',
      operationId: 'listTransactions',
      summary: 'List transactions',
      description:
        'Newest first: in local billing, a transaction for each period (`initial`, `renewal`) and one for each immediate change (`proration`). A payment provider bills on its own; the list of payments has what it collected.',
      tag,
      console: { path: '/api/billing/transactions', role: 'viewer' },
      v1: { path: '/v1/transactions', scopes: { anyOf: ['read', 'billing'] } },
      query: listTransactionsQuery.extend(expandable),
      responses: { 200: { description: 'A page of transactions', schema: pageSchema(transactionSchema) } },
      errors: ['cursor_invalid'],
      answer: (actor, call) => expandPage(expand, actor, call, (who, query) => transactions.list(who, query)),
    }),
    mountedRoute({
      method: 'get',
      operationId: 'getTransaction',
      summary: 'Read a transaction',
      tag,
      console: { path: '/api/billing/transactions/{id}', role: 'viewer' },
      v1: { path: '/v1/transactions/{id}', scopes: { anyOf: ['read', 'billing'] } },
      params: idParams,
      query: z.strictObject(expandable),
      responses: { 200: { description: 'The transaction', schema: transactionSchema } },
      errors: ['transaction_not_found'],
      answer: (actor, call) => expandOne(expand, actor, call, () => transactions.get(actor, call.params.id)),
    }),
  ];
}
