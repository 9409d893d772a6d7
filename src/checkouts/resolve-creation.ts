import { workspaceTime } from '../clock/sandbox-clock-store';
import type { DbTransaction } from '../db/pools';
import { setRequest } from '../db/workspace-transaction';
import { nextCheckoutPollAt } from '../domain/checkout-polling';
import { TollgateError } from '../domain/errors';
import type { Instant } from '../domain/instant';
import { declinedByProvider } from '../domain/provider-refused';
import { markRefused } from '../operations/conclude-operation-store';
import { findOperation } from '../operations/operation-store';
import { toOperationProblem } from '../operations/operation-problem';
import type { Outcome } from '../providers/outcome';
import type { CheckoutCreated, ProviderReference } from '../providers/provider-operations';
import type { Actor, WorkspaceScope } from '../tenancy/actor';
import type { ConnectionRef } from '../connections/connection-ref';
import { addReference } from '../connections/reference-store';
import { recordPaymentOffered, recordPlanOffered } from './checkout-created-event';
import { operationIdOfCheckout } from '../operations/target-ids';
import { priceOf, toCheckoutResource } from './checkout-resource';
import type { CheckoutRow } from './checkout-store';
import { saveCheckout } from './checkout-write-store';
import { endCheckout, lockCheckout } from './end-checkout';
import { checkoutUnsupported } from './require-offerable';
import { actorOf } from '../subscriptions/operation-context';
import { completeOperation } from '../operations/complete-operation';

/**
 * Records in the open transaction that the provider created a checkout: its page, its references and the operation's
 * answer. A checkout that ended here in the meantime is polled at once, which expires it at the provider.
 *
 * @param creation with the version of the connection's secrets that it was made with
 * @param recordedAt real time
 * @returns the references that are newly known
 */
export async function resolveCreation(
  trx: DbTransaction,
  connection: ConnectionRef,
  checkoutId: string,
  { url, references, secretVersion }: CheckoutCreated & { secretVersion: number },
  recordedAt: Instant,
): Promise<ProviderReference[]> {
  const { scope } = connection;
  const row = await lockCheckout(trx, scope, checkoutId);
  const operation = await findOperation(trx, scope, operationIdOfCheckout(checkoutId));
  if (row === undefined || operation === undefined || row.reference !== null) return [];
  const now = await workspaceTime(trx, scope, recordedAt);
  const [reference] = references;
  const newlyKnown = await addReferences(trx, connection, row, references, recordedAt);
  const created = { created: { reference, secretVersion }, polls: 0 };
  if (row.status !== 'open') {
    await saveCheckout(trx, scope, row.id, { ...created, nextWakeAt: now, failure: TOO_LATE.detail }, now);
    await markRefused(trx, scope, operation.id, toOperationProblem(TOO_LATE), recordedAt);
    return newlyKnown;
  }
  const schedule = { createdAt: now, expiresAt: row.expiresAt, polls: 0 };
  // Given up during the call: polled at once, which expires it at the provider.
  const nextWakeAt = row.givenUpAt === null ? nextCheckoutPollAt(schedule, now) : now;
  await saveCheckout(trx, scope, row.id, { ...created, url, failure: null, nextWakeAt }, now);
  const actor = actorOf(operation, scope, { now, recordedAt });
  await setRequest(trx, operation.requestId);
  await recordOffered(trx, actor, row);
  const after = { ...row, url, failure: null, updatedAt: now };
  const answer = { status: 201, body: toCheckoutResource(after, undefined) };
  await completeOperation(trx, scope, operation, answer, recordedAt);
  return newlyKnown;
}

/**
 * Records in the open transaction that the provider did not create a checkout: it expires, and its operation is
 * refused.
 *
 * @param recordedAt real time
 */
export async function refuseCreation(
  trx: DbTransaction,
  scope: WorkspaceScope,
  checkoutId: string,
  refusal: TollgateError,
  recordedAt: Instant,
): Promise<void> {
  const row = await lockCheckout(trx, scope, checkoutId);
  if (row === undefined || row.reference !== null) return;
  const now = await workspaceTime(trx, scope, recordedAt);
  const reason = refusal.detail;
  const operationId = operationIdOfCheckout(checkoutId);
  const operation = await findOperation(trx, scope, operationId);
  if (operation !== undefined) await setRequest(trx, operation.requestId);
  if (row.status === 'open') {
    await endCheckout(trx, scope, row, { why: 'refused', at: now, recordedAt, source: 'billing', reason });
  }
  await saveCheckout(trx, scope, row.id, { failure: reason, nextWakeAt: null }, now);
  await markRefused(trx, scope, operationId, toOperationProblem(refusal), recordedAt);
}

/** Adds the references, except those of a payment, which will belong to the payment. */
async function addReferences(
  trx: DbTransaction,
  connection: ConnectionRef,
  { id, subscriptionId }: CheckoutRow,
  references: readonly ProviderReference[],
  recordedAt: Instant,
): Promise<ProviderReference[]> {
  const newlyKnown: ProviderReference[] = [];
  for (const reference of references) {
    const { kind } = reference;
    const target =
      kind === 'subscription' ? subscriptionId : kind === 'checkout' || kind === 'order' ? id : null;
    if (target === null) continue;
    if (await addReference(trx, connection, reference, target, recordedAt)) newlyKnown.push(reference);
  }
  return newlyKnown;
}

async function recordOffered(trx: DbTransaction, actor: Actor, row: CheckoutRow): Promise<void> {
  const { id: checkoutId, customerId, externalId, provider, expiresAt, currency } = row;
  const price = { amount: priceOf(row), currency };
  const offered = { checkoutId, customerId, externalId, provider, expiresAt };
  const { subscriptionId, planId, planSlug, seats, description } = row;
  if (subscriptionId === null || planId === null || planSlug === null) {
    const asked = { ...offered, due: price, description: description ?? '' };
    await recordPaymentOffered(trx, actor, asked);
    return;
  }
  const due = row.trialDays > 0 ? null : price;
  const terms = { subscriptionId, planId, planSlug, seats: seats ?? 1, status: 'incomplete' };
  await recordPlanOffered(trx, actor, { ...offered, due, ...terms, transaction: null });
}

/** Returns the error for a checkout that its provider declined. */
export function refusalOfCreation(
  outcome: Extract<Outcome<unknown>, { kind: 'declined' | 'unsupported' }>,
): TollgateError {
  const { reason } = outcome;
  if (outcome.kind === 'unsupported') return checkoutUnsupported(reason, 'provider_unsupported');
  return declinedByProvider(outcome.code, reason);
}

/** The error for a checkout that ended here before its provider created it. */
export const TOO_LATE = new TollgateError(
  'checkout_not_open',
  'The checkout was replaced or expired before the payment provider created it. Create a new one.',
);
