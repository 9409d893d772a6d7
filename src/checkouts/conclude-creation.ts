import { readClockOffset } from '../clock/sandbox-clock-store';
import type { Transaction } from '../db/pools';
import { setRequest } from '../db/workspace-transaction';
import { nextCheckoutPollAt } from '../domain/checkout-polling';
import { isTollgateError, type TollgateError } from '../domain/errors';
import type { Instant } from '../domain/instant';
import { runOnce } from '../idempotency/idempotency-store';
import {
  claimOf,
  findOperation,
  markRefused,
  markSucceeded,
  type OperationRow,
} from '../operations/operation-store';
import { problemOfRefusal } from '../operations/problem-of-refusal';
import { contextOf } from '../subscriptions/commands/run-operation';
import type { CheckoutCreated, ProviderReference } from '../providers/provider-operations';
import type { Actor, WorkspaceScope } from '../tenancy/scope';
import type { ConnectionRef } from '../connections/connection-ref';
import { addReference } from '../connections/reference-store';
import { recordOnceOffered, recordPlanOffered } from './checkout-happening';
import { operationIdOfCheckout } from '../operations/checkout-id';
import { priceOf, toCheckoutResource } from './checkout-resource';
import type { CheckoutRow } from './checkout-store';
import { saveCheckout } from './checkout-write-store';
import { endCheckout, lockCheckout } from './end-checkout';
import { LATE } from './refusal-of-creation';

/**
 * Writes down, in the open transaction, that the provider has made a checkout: where its customer pays, by which names
 * the provider will speak of it, and the operation's answer. One that has ended here meanwhile is left to be ended
 * there.
 *
 * @param recordedAt real time
 * @returns the names that are known from now on
 */
export async function concludeCreation(
  trx: Transaction,
  connection: ConnectionRef,
  checkoutId: string,
  { url, references }: CheckoutCreated,
  recordedAt: Instant,
): Promise<ProviderReference[]> {
  const { scope } = connection;
  const row = await lockCheckout(trx, scope, checkoutId);
  const operation = await findOperation(trx, scope, operationIdOfCheckout(checkoutId));
  if (row === undefined || operation === undefined || row.reference !== null) return [];
  const now = recordedAt + (await readClockOffset(trx, scope));
  const [reference] = references;
  const learnt = await tie(trx, connection, row, references, recordedAt);
  const made = { reference, polls: 0 };
  if (row.status !== 'open') {
    await saveCheckout(trx, scope, row.id, { ...made, nextWakeAt: now, failure: LATE.detail }, now);
    await markRefused(trx, scope, operation.id, problemOfRefusal(LATE), recordedAt);
    return learnt;
  }
  const schedule = { createdAt: now, expiresAt: row.expiresAt, polls: 0 };
  // Given up while it was made, it is ended there at once.
  const nextWakeAt = row.givenUpAt === null ? nextCheckoutPollAt(schedule, now) : now;
  await saveCheckout(trx, scope, row.id, { ...made, url, failure: null, nextWakeAt }, now);
  const { actor } = contextOf(operation, scope, now, recordedAt);
  await setRequest(trx, operation.requestId);
  await recordOffered(trx, actor, row);
  const after = { ...row, url, failure: null, updatedAt: now };
  await answer(trx, scope, operation, toCheckoutResource(after, undefined), recordedAt);
  return learnt;
}

/**
 * Writes down, in the open transaction, that there is no checkout at the provider: it is expired, and its operation
 * refused.
 *
 * @param recordedAt real time
 */
export async function refuseCreation(
  trx: Transaction,
  scope: WorkspaceScope,
  checkoutId: string,
  refusal: TollgateError,
  recordedAt: Instant,
): Promise<void> {
  const row = await lockCheckout(trx, scope, checkoutId);
  if (row === undefined || row.reference !== null) return;
  const now = recordedAt + (await readClockOffset(trx, scope));
  const reason = refusal.detail;
  const operationId = operationIdOfCheckout(checkoutId);
  const operation = await findOperation(trx, scope, operationId);
  if (operation !== undefined) await setRequest(trx, operation.requestId);
  if (row.status === 'open') {
    await endCheckout(trx, scope, row, { why: 'refused', at: now, recordedAt, source: 'billing', reason });
  }
  await saveCheckout(trx, scope, row.id, { failure: reason, nextWakeAt: null }, now);
  await markRefused(trx, scope, operationId, problemOfRefusal(refusal), recordedAt);
}

/** What names a payment will name the payment, so only the names of the checkout itself are tied to it. */
async function tie(
  trx: Transaction,
  connection: ConnectionRef,
  { id, subscriptionId }: CheckoutRow,
  references: readonly ProviderReference[],
  recordedAt: Instant,
): Promise<ProviderReference[]> {
  const learnt: ProviderReference[] = [];
  for (const reference of references) {
    const { kind } = reference;
    const target =
      kind === 'subscription' ? subscriptionId : kind === 'checkout' || kind === 'order' ? id : null;
    if (target === null) continue;
    if (await addReference(trx, connection, reference, target, recordedAt)) learnt.push(reference);
  }
  return learnt;
}

async function recordOffered(trx: Transaction, actor: Actor, row: CheckoutRow): Promise<void> {
  const { id: checkoutId, customerId, externalId, provider, expiresAt, currency } = row;
  const due = { amount: priceOf(row), currency };
  const offered = { checkoutId, customerId, externalId, provider, expiresAt, due };
  const { subscriptionId, planId, planSlug, seats, description } = row;
  if (subscriptionId === null || planId === null || planSlug === null) {
    await recordOnceOffered(trx, actor, { ...offered, description: description ?? '' });
    return;
  }
  const terms = { subscriptionId, planId, planSlug, seats: seats ?? 1, status: 'incomplete' };
  await recordPlanOffered(trx, actor, { ...offered, ...terms, transaction: null });
}

async function answer(
  trx: Transaction,
  scope: WorkspaceScope,
  operation: OperationRow,
  body: unknown,
  recordedAt: Instant,
): Promise<void> {
  try {
    await runOnce(trx, scope, claimOf(operation), recordedAt, () => Promise.resolve({ status: 201, body }));
  } catch (error) {
    // The key was taken by another request meanwhile; the page is there all the same.
    if (!isTollgateError(error) || error.code !== 'idempotency_key_reused') throw error;
  }
  await markSucceeded(trx, scope, operation.id, recordedAt);
}
