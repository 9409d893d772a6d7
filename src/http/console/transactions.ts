import { pageSchema } from '../../pagination/cursor';
import { idParams } from '../../schemas/text';
import type { Services } from '../../service/services';
import { listTransactionsQuery, transactionSchema } from '../../subscriptions/transaction-resource';
import type { Route } from '../route';
import { workspaceRoute } from '../workspace-route';

const tag = 'Transactions';

/** `/api/billing/transactions` */
export function transactionRoutes({ transactions }: Pick<Services, 'transactions'>): Route[] {
  return [
    workspaceRoute({
      method: 'get',
      path: '/api/billing/transactions',
      operationId: 'listTransactions',
      summary: 'List transactions',
      description:
        'Newest first: a transaction for each period (`initial`, `renewal`) and one for each immediate change (`proration`).',
      tag,
      access: 'operator',
      role: 'viewer',
      query: listTransactionsQuery,
      responses: { 200: { description: 'A page of transactions', schema: pageSchema(transactionSchema) } },
      errors: ['cursor_invalid'],
      answer: (actor, { query }) => transactions.list(actor, query),
    }),
    workspaceRoute({
      method: 'get',
      path: '/api/billing/transactions/{id}',
      operationId: 'getTransaction',
      summary: 'Read a transaction',
      tag,
      access: 'operator',
      role: 'viewer',
      params: idParams,
      responses: { 200: { description: 'The transaction', schema: transactionSchema } },
      errors: ['transaction_not_found'],
      answer: (actor, { params }) => transactions.get(actor, params.id),
    }),
  ];
}
