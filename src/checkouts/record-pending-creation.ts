import { requireConnection } from '../connections/require-connection';
import { workspaceTime } from '../clock/sandbox-clock-store';
import { findCustomer, requireCustomer } from '../customers/customer-store';
import type { DbTransaction } from '../db/pools';
import { retryPollAt } from '../domain/checkout-polling';
import type { Instant } from '../domain/instant';
import { quantityAtProvider } from '../domain/provider-quantity';
import { findOperation, type OperationRow } from '../operations/operation-store';
import type { PlanToSell } from '../plan-prices/require-same-price';
import type { CheckoutRequest } from '../providers/provider-operations';
import type { WorkspaceScope } from '../tenancy/actor';
import type { ConnectionRef } from '../connections/connection-ref';
import { operationIdOfCheckout } from '../operations/target-ids';
import { findReferenceOf } from './checkout-reference-store';
import { priceOf } from './checkout-resource';
import type { CheckoutRow } from './checkout-store';
import { saveCheckout } from './checkout-write-store';
import { lockCheckout } from './end-checkout';
import { TOO_LATE } from './resolve-creation';
import { planReferenceAt } from '../subscriptions/plan-at-provider';

/** A checkout that is about to be created at its provider. */
export interface PendingCreation {
  connection: ConnectionRef;
  /** Null for a one-time amount. */
  plan: PlanToSell | null;
  request: CheckoutRequest;
}

/**
 * Records in the open transaction that a checkout's creation at its provider is pending, before the call, so that a
 * crash leaves a trace; and reads what to request.
 *
 * @param recordedAt real time
 * @returns undefined when there is nothing left to create
 * @throws TollgateError connection_not_found, connection_disabled, plan_not_mapped; `TOO_LATE` after the deadline
 */
export async function recordPendingCreation(
  trx: DbTransaction,
  scope: WorkspaceScope,
  checkoutId: string,
  recordedAt: Instant,
): Promise<PendingCreation | undefined> {
  const row = await lockCheckout(trx, scope, checkoutId);
  const operation = await findOperation(trx, scope, operationIdOfCheckout(checkoutId));
  if (row === undefined || operation === undefined) return undefined;
  const { connectionId, status, reference, polls, givenUpAt } = row;
  if (status !== 'open' || reference !== null || connectionId === null || givenUpAt !== null)
    return undefined;
  const now = await workspaceTime(trx, scope, recordedAt);
  if (now >= row.expiresAt) throw TOO_LATE;
  const connection = await requireConnection(trx, scope, connectionId);
  const named: ConnectionRef = { scope, id: connection.id, provider: connection.provider };
  const planReference = row.planId === null ? '' : await planReferenceAt(trx, scope, connection, row.planId);
  const request: CheckoutRequest = {
    key: idempotencyKeyOf(operation),
    repeated: polls > 0,
    checkoutId,
    workspaceId: scope.workspaceId,
    customer: await customerOf(trx, named, row),
    offer: offerOf(row, planReference),
    successUrl: row.successUrl ?? '',
    cancelUrl: row.cancelUrl ?? '',
    expiresAt: row.expiresAt,
  };
  const nextWakeAt = retryPollAt({ ...row, polls: polls + 1 }, now);
  await saveCheckout(trx, scope, checkoutId, { polls: polls + 1, nextWakeAt }, now);
  return { connection: named, request, plan: planToSell(row, planReference) };
}

/** Returns the plan's terms of when the subscription was opened; null for a one-time amount. */
function planToSell(row: CheckoutRow, planReference: string): PlanToSell | null {
  const { planId: id, planSlug: slug, unitAmount, interval, pricing, currency } = row;
  if (id === null || slug === null || unitAmount === null || interval === null || pricing === null)
    return null;
  return { id, slug, planReference, interval, pricing, price: { amount: BigInt(unitAmount), currency } };
}

/** Returns a key that is the same for every call of one attempt, and new for the client's next attempt. */
function idempotencyKeyOf({ id, attempts }: OperationRow): string {
  return `${id}-${attempts}`;
}

async function customerOf(
  trx: DbTransaction,
  connection: ConnectionRef,
  { customerId }: CheckoutRow,
): Promise<CheckoutRequest['customer']> {
  const found = await findCustomer(trx, connection.scope, { id: customerId });
  const { email, name } = requireCustomer(found, customerId);
  return {
    customerId,
    email,
    name,
    reference: await findReferenceOf(trx, connection, 'customer', customerId),
  };
}

function offerOf(row: CheckoutRow, planReference: string): CheckoutRequest['offer'] {
  const { subscriptionId, seats, pricing, currency, description, trialDays } = row;
  const amount = priceOf(row);
  if (subscriptionId === null) return { kind: 'payment', amount, currency, description: description ?? '' };
  const quantity = quantityAtProvider({ pricing: pricing ?? 'flat', seats: seats ?? 1 });
  return { kind: 'subscription', subscriptionId, planReference, quantity, amount, currency, trialDays };
}
