import { recordAudit } from '../audit/audit-store';
import type { Database, DbTransaction } from '../db/pools';
import { inWorkspace } from '../db/workspace-transaction';
import { TollgateError } from '../domain/errors';
import type { Instant } from '../domain/instant';
import { runOnce, type Claim, type StoredAnswer } from '../idempotency/idempotency-store';
import { mapPage, type Page } from '../pagination/cursor';
import { pageById } from '../pagination/page-by-id';
import type { Actor, WorkspaceScope } from '../tenancy/actor';
import {
  toDeliveryResource,
  type ListDeliveriesQuery,
  type WebhookDeliveryResource,
} from './delivery-resource';
import { findDelivery, listAttempts, listDeliveries, sendAgain } from './delivery-store';
import { requireEndpoint } from './endpoint-store';
import { announceTo } from './message-store';

/** Log of the deliveries to an endpoint and their outcomes. */
export interface WebhookDeliveryLog {
  /** @throws TollgateError webhook_endpoint_not_found, cursor_invalid */
  list(actor: Actor, endpointId: string, query: ListDeliveriesQuery): Promise<Page<WebhookDeliveryResource>>;
  /** @throws TollgateError webhook_delivery_not_found */
  read(actor: Actor, endpointId: string, messageId: string): Promise<WebhookDeliveryResource>;
  /**
   * Sends a message now, with ten attempts again, even one that was not routed to this endpoint.
   *
   * @throws TollgateError webhook_endpoint_not_found, webhook_endpoint_off, webhook_delivery_not_found
   */
  resend(actor: Actor, endpointId: string, messageId: string): Promise<WebhookDeliveryResource>;
  /**
   * Sends a `webhook_endpoint.test` to this endpoint only, once per idempotency key.
   *
   * @throws TollgateError webhook_endpoint_not_found, webhook_endpoint_off
   */
  test(actor: Actor, endpointId: string, claim: Claim): Promise<StoredAnswer>;
}

export function createWebhookDeliveryLog(options: {
  database: Database;
  cursorSecret: string;
}): WebhookDeliveryLog {
  const { database, cursorSecret: secret } = options;
  return {
    list: ({ scope, reason }, endpointId, { take, cursor, from, to, status }) =>
      inWorkspace(database, scope, reason, async (trx) => {
        await requireEndpoint(trx, scope, endpointId);
        const filters = { endpointId, status };
        const list = { secret, scope, list: 'webhook-deliveries', filters, take, cursor, from, to };
        const page = await pageById(list, (rows) => listDeliveries(trx, scope, filters, rows));
        const ids = page.data.map(({ id }) => id);
        const attempts = await listAttempts(trx, scope, endpointId, ids);
        return mapPage(page, (row) =>
          toDeliveryResource(
            row,
            attempts.filter(({ messageId }) => messageId === row.id),
          ),
        );
      }),

    read: ({ scope, reason }, endpointId, messageId) =>
      inWorkspace(database, scope, reason, (trx) => readDelivery(trx, scope, endpointId, messageId)),

    resend: (actor, endpointId, messageId) => {
      const { scope, reason, receivedAt } = actor;
      return inWorkspace(database, scope, reason, async (trx) => {
        await requireEnabled(trx, scope, endpointId);
        if ((await sendAgain(trx, scope, endpointId, [messageId], receivedAt)) === 0)
          throw deliveryNotFound();
        const detail = { messageId };
        await recordAudit(trx, actor, { action: 'webhook_endpoint.resent', target: endpointId, detail });
        return readDelivery(trx, scope, endpointId, messageId);
      });
    },

    test: (actor, endpointId, claim) => {
      const { scope, reason, receivedAt, now } = actor;
      return inWorkspace(database, scope, reason, (trx) =>
        runOnce(trx, scope, claim, receivedAt, async () => {
          await requireEnabled(trx, scope, endpointId);
          const messageId = await announceTo(trx, scope, testMessage(endpointId, now, receivedAt));
          const detail = { messageId };
          await recordAudit(trx, actor, { action: 'webhook_endpoint.tested', target: endpointId, detail });
          return { status: 201, body: await readDelivery(trx, scope, endpointId, messageId) };
        }),
      );
    },
  };
}

function testMessage(endpointId: string, happenedAt: Instant, createdAt: Instant) {
  return { type: 'webhook_endpoint.test', endpointId, happenedAt, createdAt } as const;
}

async function readDelivery(
  trx: DbTransaction,
  scope: WorkspaceScope,
  endpointId: string,
  messageId: string,
): Promise<WebhookDeliveryResource> {
  const row = await findDelivery(trx, scope, { endpointId, messageId });
  if (row === undefined) throw deliveryNotFound();
  return toDeliveryResource(row, await listAttempts(trx, scope, endpointId, [messageId]));
}

/** @throws TollgateError webhook_endpoint_not_found, webhook_endpoint_off */
export async function requireEnabled(
  trx: DbTransaction,
  scope: WorkspaceScope,
  endpointId: string,
): Promise<void> {
  const { disabledAt } = await requireEndpoint(trx, scope, endpointId, 'lock');
  if (disabledAt !== null) {
    throw new TollgateError('webhook_endpoint_off', 'The endpoint is disabled, so nothing is sent to it.');
  }
}

function deliveryNotFound(): TollgateError {
  return new TollgateError(
    'webhook_delivery_not_found',
    'This environment has no message with this id that the endpoint could receive.',
  );
}
