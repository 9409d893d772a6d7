import { pageSchema } from '../../pagination/page-schema';
import { collectionSchema } from '../../payments/settlement-collection-schema';
import {
  createSettlementInput,
  listSettlementsQuery,
  settlementSchema,
  settlementWithLinesSchema,
} from '../../payments/settlement-resource';
import { idParams } from '../../schemas/text';
import type { Services } from '../../service/services';
import { replayableReply, requiredClaim } from '../replayable';
import type { Route } from '../route';
import { workspaceRoute } from '../workspace-route';

const tag = 'Settlements';

/** `/api/billing/settlements` */
export function settlementRoutes({ settlements }: Pick<Services, 'settlements'>): Route[] {
  return [
    workspaceRoute({
      method: 'get',
      path: '/api/billing/settlements',
      operationId: 'listSettlements',
      summary: 'List settlements',
      description: 'Newest first.',
      tag,
      access: 'operator',
      role: 'viewer',
      query: listSettlementsQuery,
      responses: { 200: { description: 'A page of settlements', schema: pageSchema(settlementSchema) } },
      errors: ['cursor_invalid'],
      answer: (actor, { query }) => settlements.list(actor, query),
    }),
    workspaceRoute({
      method: 'post',
      path: '/api/billing/settlements',
      operationId: 'createSettlement',
      summary: 'Settle a period',
      description:
        'Groups the local-billing payments and refunds of one currency before the period’s end that no settlement counts yet. Later ones, such as a refund of a settled payment, fall into the next settlement. Periods of a currency do not overlap. Needs the role `admin`.',
      tag,
      access: 'operator',
      role: 'admin',
      stepUp: 'always',
      body: createSettlementInput,
      idempotencyKey: 'required',
      responses: { 201: { description: 'The settlement', schema: settlementSchema } },
      errors: ['settlement_overlaps', 'settlement_empty', 'settlement_too_large'],
      handle: async (actor, { body, idempotency }) =>
        replayableReply(await settlements.create(actor, body, requiredClaim(idempotency))),
    }),
    workspaceRoute({
      method: 'post',
      path: '/api/billing/settlements/collect',
      operationId: 'collectSettlements',
      summary: 'Collect the providers’ settlements now',
      description:
        'Every connection is polled once a day anyway. Each settlement is recorded once. Needs the role `admin`.',
      tag,
      access: 'operator',
      role: 'admin',
      responses: {
        200: { description: 'The result of each connection', schema: collectionSchema },
      },
      answer: (actor) => settlements.collect(actor),
    }),
    workspaceRoute({
      method: 'get',
      path: '/api/billing/settlements/{id}',
      operationId: 'getSettlement',
      summary: 'Read a settlement with its lines',
      tag,
      access: 'operator',
      role: 'viewer',
      params: idParams,
      responses: {
        200: { description: 'The settlement and its lines', schema: settlementWithLinesSchema },
      },
      errors: ['settlement_not_found'],
      answer: (actor, { params }) => settlements.get(actor, params.id),
    }),
  ];
}
