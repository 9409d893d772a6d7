import type { z } from 'zod';
import { recordAudit } from '../audit/audit-store';
import { lockBalances } from '../customers/customer-lock-store';
import type { Database, DbTransaction } from '../db/pools';
import { inWorkspace } from '../db/workspace-transaction';
import { formatDecimal } from '../domain/decimal';
import { TollgateError } from '../domain/errors';
import { reversalOf, unitsTaken } from '../domain/usage-reversal';
import { recordDeveloperEvent } from '../events/developer-event-store';
import { runOnce, type Claim, type StoredAnswer } from '../idempotency/idempotency-store';
import type { Actor, WorkspaceScope } from '../tenancy/actor';
import { toReversalResource, type reverseInput } from './reversal-resource';
import {
  findReversal,
  findReversibleEvent,
  insertReversal,
  returnToCounter,
  returnToEntity,
  returnToGrant,
  type ReversalRow,
  type ReversibleEvent,
} from './reversal-store';
import { toStored, toTaken } from '../usage/stored-deduction';

/**
 * Reverses a recorded use, once: what it took is returned to the same counters and grants, and can be used from the
 * next call on. The event is kept.
 *
 * @throws TollgateError usage_event_not_found, customer_erased, usage_already_reversed, service_busy; validation_failed
 * for more than the event's quantity
 */
export type ReverseUsage = (
  actor: Actor,
  eventId: string,
  input: z.output<typeof reverseInput>,
  claim: Claim,
) => Promise<StoredAnswer>;

export function createReverseUsage(database: Database): ReverseUsage {
  return (actor, eventId, input, claim) =>
    inWorkspace(database, actor.scope, actor.reason, (trx) =>
      runOnce(trx, actor.scope, claim, actor.receivedAt, async () => {
        const event = await lockEvent(trx, actor, eventId);
        const reversal = reverse(event, input, actor);
        await giveBack(trx, actor, event, reversal);
        await insertReversal(trx, actor.scope, event, reversal);
        await record(trx, actor, event, reversal);
        return { status: 201, body: toReversalResource(event, reversal) };
      }),
    );
}

/**
 * Reads the event and locks its customer's balances, so that until the commit no other process counts or reverses a
 * use. Its customer may be erased while this waits for the lock.
 */
async function lockEvent(trx: DbTransaction, { scope }: Actor, eventId: string): Promise<ReversibleEvent> {
  const { externalId } = await readEvent(trx, scope, eventId);
  await lockBalances(trx, scope, externalId);
  const event = await readEvent(trx, scope, eventId);
  const earlier = await findReversal(trx, scope, eventId);
  if (earlier === undefined) return event;
  const detail = `The event was reversed at ${new Date(earlier.reversedAt).toISOString()}.`;
  throw new TollgateError('usage_already_reversed', detail, {
    extra: { reversal: toReversalResource(event, earlier) },
  });
}

async function readEvent(
  trx: DbTransaction,
  scope: WorkspaceScope,
  eventId: string,
): Promise<ReversibleEvent> {
  const event = await findReversibleEvent(trx, scope, eventId);
  if (event === undefined) {
    throw new TollgateError('usage_event_not_found', `There is no usage event "${eventId}".`);
  }
  if (event.isErased) throw new TollgateError('customer_erased', 'The customer of this event was erased.');
  return event;
}

function reverse(
  event: ReversibleEvent,
  { quantity, reason }: z.output<typeof reverseInput>,
  actor: Actor,
): ReversalRow {
  const taken = event.deductions.map(toTaken);
  const all = unitsTaken(taken);
  if (quantity !== undefined && quantity > all) {
    const message = `is more than the event's ${formatDecimal(all)}`;
    throw new TollgateError('validation_failed', `/quantity: ${message}`, {
      errors: [
        { pointer: '/quantity', message, fix: 'Send at most the quantity of the event, or leave it out.' },
      ],
    });
  }
  const units = quantity ?? all;
  return {
    eventId: event.id,
    quantity: formatDecimal(units),
    deductions: reversalOf(taken, units).map(toStored),
    reason,
    actor: { operatorId: actor.operatorId, apiKeyId: actor.apiKeyId },
    reversedAt: actor.now,
  };
}

async function giveBack(
  trx: DbTransaction,
  { scope, now }: Actor,
  event: ReversibleEvent,
  { deductions }: ReversalRow,
): Promise<void> {
  const { entity } = event;
  for (const returned of deductions.map(toTaken)) {
    await returnToCounter(trx, scope, event, returned, now);
    if (entity !== null) await returnToEntity(trx, scope, { ...event, entity }, returned, now);
    if (returned.from === 'credits') await returnToGrant(trx, scope, returned.grantId, returned.credits);
  }
}

async function record(
  trx: DbTransaction,
  actor: Actor,
  event: ReversibleEvent,
  { quantity, reason }: ReversalRow,
): Promise<void> {
  const { customerId, externalId, feature } = event;
  await recordDeveloperEvent(
    trx,
    actor.scope,
    {
      type: 'USAGE_REVERSED',
      status: 'OK',
      message: `${quantity} ${feature} of ${externalId} reversed.`,
      source: actor.reason === 'OPERATOR' ? 'console' : 'api',
      data: {
        operation: 'reverse',
        eventId: event.id,
        customerId,
        externalId,
        feature,
        quantity: Number(quantity),
      },
    },
    actor.receivedAt,
  );
  const detail = { customerId, feature, quantity, reason };
  await recordAudit(trx, actor, { action: 'usage.reversed', target: event.id, detail });
}
