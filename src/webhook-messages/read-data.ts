import { findCheckout } from '../checkouts/checkout-store';
import { readCheckout } from '../checkouts/checkout-resource';
import type { DbTransaction } from '../db/pools';
import type { Instant } from '../domain/instant';
import { webhookTypeOf } from '../domain/webhook-types';
import { toDeveloperEvent } from '../events/developer-event-resource';
import { findDeveloperEvent } from '../events/developer-event-store';
import { findStoredAnswer } from '../idempotency/idempotency-store';
import { toOperationResource } from '../operations/operation-resource';
import { claimOf, findOperation } from '../operations/operation-store';
import { toPaymentResource } from '../payments/payment-resource';
import { findPayment } from '../payments/payment-store';
import { toRefundResource } from '../payments/refund-resource';
import { findRefund } from '../payments/refund-store';
import { toSubscriptionResource } from '../subscriptions/subscription-resource';
import { findSubscription } from '../subscriptions/subscription-store';
import type { WorkspaceScope } from '../tenancy/actor';
import { toEndpointResource } from '../webhook-endpoints/endpoint-resource';
import { findEndpoint } from '../webhook-endpoints/endpoint-store';
import type { MessageRow } from './message-store';

/**
 * Returns a message's data as the API reads it now; null if the resource no longer exists.
 *
 * @param times workspace time and real time
 */
export async function readData(
  trx: DbTransaction,
  scope: WorkspaceScope,
  message: MessageRow,
  times: { now: Instant; realNow: Instant },
): Promise<unknown> {
  const { resourceId: id, type } = message;
  const { data } = webhookTypeOf(type);
  switch (data) {
    case 'event':
      return readEvent(trx, scope, message);
    case 'subscription': {
      const row = await findSubscription(trx, scope, id);
      return row === undefined ? null : toSubscriptionResource(row, times.now);
    }
    case 'checkout':
      return (await findCheckout(trx, scope, id)) === undefined ? null : readCheckout(trx, scope, id);
    case 'payment': {
      const row = await findPayment(trx, scope, id, 'read');
      return row === undefined ? null : toPaymentResource(row);
    }
    case 'refund': {
      const row = await findRefund(trx, scope, id, 'read');
      return row === undefined ? null : toRefundResource(row);
    }
    case 'operation':
      return readOperationOf(trx, scope, id);
    case 'webhook_endpoint': {
      const row = await findEndpoint(trx, scope, id);
      return row === undefined ? null : toEndpointResource(row, times.realNow);
    }
  }
}

async function readEvent(
  trx: DbTransaction,
  scope: WorkspaceScope,
  { eventId, createdAt }: MessageRow,
): Promise<unknown> {
  if (eventId === null) return null;
  const row = await findDeveloperEvent(trx, scope, eventId, createdAt);
  return row === undefined ? null : toDeveloperEvent(row);
}

async function readOperationOf(trx: DbTransaction, scope: WorkspaceScope, id: string): Promise<unknown> {
  const row = await findOperation(trx, scope, id);
  if (row === undefined) return null;
  const answer = row.status === 'succeeded' ? await findStoredAnswer(trx, scope, claimOf(row)) : undefined;
  return toOperationResource(row, answer);
}
