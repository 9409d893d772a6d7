import { requireConnection } from '../connections/require-connection';
import { readClockOffset } from '../clock/sandbox-clock-store';
import { holdCustomer, type CustomerRow } from '../customers/customer-store';
import type { DbTransaction } from '../db/pools';
import { setContext } from '../db/workspace-transaction';
import { checkoutDeadline } from '../domain/checkout';
import type { Instant } from '../domain/instant';
import { isOpen } from '../domain/operation-status';
import { findStoredAnswer } from '../idempotency/idempotency-store';
import { claimOf, findOperation, type OperationRow } from '../operations/operation-store';
import { operationNotFound } from '../operations/read-operation';
import { requireStillOpen } from '../subscriptions/commands/run-operation';
import type { ConnectionRow } from '../connections/connection-store';
import { requireOfferedPlan } from '../subscriptions/require-offer';
import { writeOpening } from '../subscriptions/write-opening';
import type { Actor, WorkspaceScope } from '../tenancy/actor';
import { fromOrderInput, type OrderedCheckout } from './checkout-input';
import { findCheckout, type CheckoutRow } from './checkout-store';
import { writeCheckout, type NewOffer } from './checkout-write-store';
import { lockCustomerForCheckout } from '../customers/customer-lock-store';
import { refuseOutdated } from './refuse-outdated';
import { replaceEarlierCheckout } from './replace-earlier-checkout';
import { requireOfferable } from './require-offerable';
import { TOO_LATE } from './resolve-creation';
import { actorOf } from '../subscriptions/operation-context';

/**
 * Records, once and before the provider is called, the checkout that an operation asks for, and for a plan its
 * `incomplete` subscription. The next attempt after a refusal reuses the row.
 *
 * @param recordedAt real time
 * @throws TollgateError operation_not_found, customer_not_found, customer_erased, plan_not_found, plan_archived,
 *   plan_not_mapped, subscription_exists, connection_not_found, connection_disabled, capability_unsupported,
 *   validation_failed, idempotency_key_reused; `TOO_LATE` if its customer was given a later one, or if it ended before
 *   the provider created it
 * @throws OperationAbandonedError when the operation was abandoned
 */
export async function prepareCheckout(
  trx: DbTransaction,
  scope: WorkspaceScope,
  { checkoutId, operationId }: { checkoutId: string; operationId: string },
  recordedAt: Instant,
): Promise<void> {
  const operation = await findOperation(trx, scope, operationId);
  if (operation?.kind !== 'create_checkout') throw operationNotFound(operationId);
  const ordered = fromOrderInput(operation.input);
  // A second call waits here, and then finds what the first one wrote.
  await lockCustomerForCheckout(trx, scope, ordered.customerId);
  const before = await findCheckout(trx, scope, checkoutId);
  if (before !== undefined) {
    if (!isOpen(operation.status)) return;
    if (isCreatedTooLate(before)) throw TOO_LATE;
    if (!isRefused(before)) return;
  }
  // Fails early when another request has used the key in the meantime.
  await findStoredAnswer(trx, scope, claimOf(operation));
  await setContext(trx, scope.workspaceId, scope.environment, operation.reason);
  const clockOffset = await readClockOffset(trx, scope);
  const now = recordedAt + clockOffset;
  const actor = actorOf(operation, scope, { now, recordedAt });
  const connection = await requireConnection(trx, scope, ordered.connectionId);
  const customer = await holdCustomer(trx, scope, { id: ordered.customerId });
  const expiresAt = checkoutDeadline(now, ordered.expiresInMinutes);
  await requireStillOpen(trx, scope, operationId);
  const offer = await offerOf(trx, actor, ordered, {
    operation,
    checkoutId,
    connection,
    customer,
    expiresAt,
    clockOffset,
  });
  await writeCheckout(trx, scope, {
    id: checkoutId,
    customerId: customer.id,
    offer,
    provider: connection.provider,
    connectionId: connection.id,
    status: 'open',
    successUrl: ordered.successUrl,
    cancelUrl: ordered.cancelUrl,
    expiresAt,
    nextWakeAt: now,
    createdAt: now,
  });
}

/** Returns whether it has ended without being created at the provider. */
function isRefused({ status, reference, failure }: CheckoutRow): boolean {
  return status === 'expired' && reference === null && failure !== null;
}

/**
 * Returns whether it had ended here before the provider created it. Its page was shown to no customer, but its webhooks
 * still name the row, which therefore cannot be offered again.
 */
function isCreatedTooLate({ status, reference }: CheckoutRow): boolean {
  return status === 'expired' && reference !== null;
}

async function offerOf(
  trx: DbTransaction,
  actor: Actor,
  { offer, metadata }: OrderedCheckout,
  to: {
    operation: OperationRow;
    checkoutId: string;
    connection: ConnectionRow;
    customer: CustomerRow;
    expiresAt: Instant;
    clockOffset: number;
  },
): Promise<NewOffer> {
  const { scope, now } = actor;
  const { operation, checkoutId, connection, customer, expiresAt, clockOffset } = to;
  if (offer.kind === 'payment') {
    await requireOfferable(trx, scope, connection, { customer, plan: null, seats: 1 });
    return { ...offer, metadata };
  }
  const { planId, seats } = offer;
  const plan = await requireOfferedPlan(trx, scope, { planId });
  await requireOfferable(trx, scope, connection, { customer, plan, seats });
  const { planGroupId } = plan;
  await refuseOutdated(trx, scope, operation, { customerId: customer.id, planGroupId }, clockOffset);
  await replaceEarlierCheckout(trx, actor, { customer, plan, checkoutId });
  const { provider } = connection;
  const offered = { customer, plan, seats, metadata, incompleteUntil: expiresAt, provider };
  const { subscription } = await writeOpening(trx, scope, offered, now);
  return { kind: 'subscription', subscription, plan, transactionId: null };
}
