import { workspaceTime } from '../clock/sandbox-clock-store';
import type { DbTransaction } from '../db/pools';
import {
  isPastPolling,
  isPastWaiting,
  nextCheckoutPollAt,
  retryPollAt,
  silenceSince,
} from '../domain/checkout-polling';
import type { ConnectionRef } from '../connections/connection-ref';
import type { ProviderReading, Reconciler } from '../subscriptions/at-provider/reconciler';
import { addReference, type Reference } from '../connections/reference-store';
import { findCheckout, type CheckoutRow } from './checkout-store';
import { saveCheckout } from './checkout-write-store';
import { completeOneTimePayment } from './complete-one-time-payment';
import { endCheckout, lockCheckout } from './end-checkout';
import { findBilledSubscription } from '../subscriptions/billed-subscription-store';
import type { CheckoutExpiry } from '../subscriptions/expire-checkout';
import type { CheckoutPollResult } from './poll-checkout';
import {
  recordNeedsDecision,
  offeredInWords,
  recordLatePayment,
  type PaymentContext,
  endUnresolved,
} from './needs-decision';

/** A poll's result with the data it is compared to. */
export interface PolledCheckout {
  result: CheckoutPollResult;
  /** The subscription's row as it was before the poll. */
  before: ProviderReading['seen'];
  /** The reason to record if the checkout ends. */
  why: CheckoutExpiry['why'];
}

const NO_ANSWER = 'The payment provider did not confirm within days of its expiry whether it was paid.';

/**
 * Applies a poll's result in the open transaction, as the provider's webhook would. A payment is never lost: if the
 * checkout has ended here, an event with status `ERROR` reports it.
 *
 * @param opened.recordedAt real time
 * @throws StaleFactsError when the subscription changed after the poll; poll again
 */
export async function applyPollResult(
  reconciler: Reconciler,
  opened: Omit<PaymentContext, 'now'>,
  checkoutId: string,
  polled: PolledCheckout,
): Promise<void> {
  const { trx, connection, recordedAt } = opened;
  const { scope } = connection;
  const row = await lockCheckout(trx, scope, checkoutId);
  if (row === undefined || row.status === 'complete') return;
  const now = await workspaceTime(trx, scope, recordedAt);
  const work = { ...opened, now };
  const { result } = polled;
  if (result.kind !== 'unknown' && row.unansweredSince !== null)
    await saveCheckout(trx, scope, row.id, { unansweredSince: null, failure: null }, now);
  switch (result.kind) {
    case 'paid':
      return applyPaid(reconciler, work, row, { ...result, before: polled.before });
    case 'over':
      return end(work, row, polled.why);
    case 'unknown':
      return applyUnknown(work, row, { refusal: result.refusal, why: polled.why });
    case 'open': {
      const polls = row.polls + 1;
      // If it reached its deadline or was given up during the poll, it is polled again at once to expire it.
      const isOver = row.givenUpAt !== null || now >= row.expiresAt;
      const nextWakeAt = isOver ? now : nextCheckoutPollAt({ ...row, polls }, now);
      const { failure } = result;
      await saveCheckout(trx, scope, row.id, { polls, nextWakeAt, failure }, now);
    }
  }
}

/** Polls again after no answer, and ends the checkout once there has been none for days. */
async function applyUnknown(
  work: PaymentContext,
  row: CheckoutRow,
  { refusal, why }: Pick<PolledCheckout, 'why'> & { refusal: string | null },
): Promise<void> {
  const { trx, connection, now } = work;
  const { scope } = connection;
  const unansweredSince = silenceSince(row, now);
  if (!isPastPolling(row.expiresAt, unansweredSince, now)) {
    const polls = row.polls + 1;
    const nextWakeAt = retryPollAt({ ...row, polls }, now);
    const failure = refusal ?? row.failure;
    await saveCheckout(trx, scope, row.id, { polls, nextWakeAt, unansweredSince, failure }, now);
    return;
  }
  await end(work, row, why);
  await saveCheckout(trx, scope, row.id, { failure: NO_ANSWER }, now);
  // A webhook may have caused another poll after the first report.
  if (row.failure !== NO_ANSWER) await recordNeedsDecision(work, row, unknownInWords(row, refusal));
}

/** Returns the message about a checkout whose payment remains unknown. */
function unknownInWords(row: CheckoutRow, refusal: string | null): string {
  const why = refusal === null ? '' : ` ${refusal}`;
  return `The checkout of ${offeredInWords(row)} for ${row.externalId} has expired, and for days the payment provider has not said whether it was paid.${why} Test the connection and look up the checkout at the payment provider. Refund what was paid, and cancel the subscription if one began there.`;
}

async function end(
  { trx, connection: { scope }, now, recordedAt }: PaymentContext,
  row: CheckoutRow,
  why: CheckoutExpiry['why'],
): Promise<void> {
  const at = why === 'deadline' ? Math.min(row.expiresAt, now) : now;
  if (row.status === 'open') {
    await endCheckout(trx, scope, row, { why, at, recordedAt, source: 'billing' });
  }
  await saveCheckout(trx, scope, row.id, { nextWakeAt: null }, now);
}

/**
 * Records the provider's reference of the checkout's customer.
 *
 * @returns it, unless there is none or it was known
 */
async function addCustomerReference(
  { trx, connection, recordedAt }: PaymentContext,
  { customerId }: CheckoutRow,
  reference: string | null,
): Promise<Reference[]> {
  if (reference === null) return [];
  const named = { kind: 'customer', reference } as const;
  return (await addReference(trx, connection, named, customerId, recordedAt)) ? [named] : [];
}

async function applyPaid(
  reconciler: Reconciler,
  work: PaymentContext,
  row: CheckoutRow,
  paid: Extract<CheckoutPollResult, { kind: 'paid' }> & Pick<PolledCheckout, 'before'>,
): Promise<void> {
  const { trx, connection, now, recordedAt } = work;
  const { scope } = connection;
  const { subscription, adapter, before } = paid;
  const { payment, references, customerReference } = paid.facts;
  const customer = await addCustomerReference(work, row, customerReference);
  const own =
    row.referenceKind === null || row.reference === null
      ? []
      : [{ kind: row.referenceKind, reference: row.reference }];
  const reading = { subscription, payment, references: [...own, ...references], seen: before };
  const context = { adapter, now, recordedAt };
  await reconciler.applyReading(trx, connection, reading, context);
  await reconciler.replayUnmatched(trx, connection, customer, context);
  if (row.kind === 'payment') {
    await completeOneTimePayment(work, row, payment);
    return;
  }
  const after = await findCheckout(trx, scope, row.id);
  if (row.status === 'expired' && !(await isOverAtProvider(trx, connection, row))) {
    await recordLatePayment(work, row, payment);
  } else if (after?.status === 'open' && isPastWaiting(row.expiresAt, payment?.status, now)) {
    await endUnresolved(work, row, payment);
  } else if (after?.status === 'open') {
    // Paid, but its subscription does not exist at the provider yet or has not started.
    const polls = row.polls + 1;
    await saveCheckout(trx, scope, row.id, { polls, nextWakeAt: retryPollAt({ ...row, polls }, now) }, now);
  } else {
    await saveCheckout(trx, scope, row.id, { nextWakeAt: null, failure: null }, now);
  }
}

/**
 * Whether the checkout ended here because its subscription, which was paid, had ended at the provider by the time it
 * was first read. The subscription of a checkout that ends for another reason is expired, not cancelled.
 */
async function isOverAtProvider(
  trx: DbTransaction,
  { scope }: ConnectionRef,
  { subscriptionId }: CheckoutRow,
): Promise<boolean> {
  if (subscriptionId === null) return false;
  return (await findBilledSubscription(trx, scope, subscriptionId, 'read'))?.status === 'cancelled';
}
