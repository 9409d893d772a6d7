import { createHash } from 'node:crypto';
import { recordAudit } from '../audit/audit-store';
import type { Database, DbTransaction } from '../db/pools';
import { inWorkspace, inWorkspaceFor } from '../db/workspace-transaction';
import { isTollgateError, TollgateError } from '../domain/errors';
import type { CommandSender } from '../operations/command-sender';
import { SOURCES } from '../subscriptions/record-command-effect';
import type { Actor } from '../tenancy/actor';
import { enqueueCheckoutSignal } from '../outbox/enqueue-signal';
import { operationIdOfCheckout } from '../operations/target-ids';
import { type CheckoutResource, checkoutNotFound, readCheckout } from './checkout-resource';
import type { CheckoutRow } from './checkout-store';
import { saveCheckout } from './checkout-write-store';
import { endCheckout, lockCheckout } from './end-checkout';

/**
 * Gives up an unpaid checkout. In local billing that ends it. At a payment provider, the request is recorded with a job
 * that makes the checkout's workflow end it there, before the provider is asked. The workflow continues even if this
 * request stops waiting for the provider, so 503 is never the answer.
 *
 * @returns the checkout; `open` until its provider has said whether it was paid
 * @throws TollgateError checkout_not_found, checkout_not_open when it is complete
 */
export async function cancelCheckout(
  { database, commands }: { database: Database; commands: CommandSender },
  actor: Actor,
  id: string,
): Promise<CheckoutResource> {
  const { scope, reason } = actor;
  const isAwaited = await inWorkspaceFor(database, actor, async (trx) => {
    const row = await requireUnpaid(trx, actor, id);
    if (row.status !== 'open') return false;
    if (row.provider === 'internal') await cancelHere(trx, actor, row);
    else if (row.givenUpAt === null) await recordCancellation(trx, actor, row);
    return row.provider !== 'internal';
  });
  if (isAwaited) await awaitEnd(commands, actor, id);
  return inWorkspace(database, scope, reason, async (trx) => {
    await requireUnpaid(trx, actor, id);
    return readCheckout(trx, scope, id);
  });
}

async function requireUnpaid(trx: DbTransaction, { scope }: Actor, id: string): Promise<CheckoutRow> {
  const row = await lockCheckout(trx, scope, id);
  if (row === undefined) throw checkoutNotFound(id);
  if (row.status !== 'complete') return row;
  throw new TollgateError('checkout_not_open', `The checkout "${id}" is complete.`);
}

async function cancelHere(trx: DbTransaction, actor: Actor, row: CheckoutRow): Promise<void> {
  const { scope, now, receivedAt, reason } = actor;
  const how = { why: 'given_up', at: now, recordedAt: receivedAt, source: SOURCES[reason] } as const;
  await endCheckout(trx, scope, row, how);
  const detail = { subscriptionId: row.subscriptionId };
  await recordAudit(trx, actor, { action: 'checkout.expired', target: row.id, detail });
}

async function recordCancellation(trx: DbTransaction, actor: Actor, { id }: CheckoutRow): Promise<void> {
  const { scope, now } = actor;
  await saveCheckout(trx, scope, id, { givenUpAt: now, nextWakeAt: now }, now);
  await enqueueCheckoutSignal(trx, scope, id);
  await recordAudit(trx, actor, { action: 'checkout.given_up', target: id, detail: {} });
}

/** Waits briefly for the provider's answer, so that nearly all requests return it. */
async function awaitEnd(commands: CommandSender, actor: Actor, id: string): Promise<void> {
  const { scope, requestId } = actor;
  try {
    await commands.send({
      scope,
      target: { kind: 'checkout', id },
      action: 'give_up',
      operationId: operationIdOfCheckout(id),
      updateId: createHash('sha256').update(`${id} ${requestId}`).digest('hex'),
    });
  } catch (error) {
    // The row and its job finish the work; an unavailable Temporal is not the caller's error.
    if (!isTollgateError(error)) throw error;
  }
}
