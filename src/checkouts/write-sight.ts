import { readClockOffset } from '../clock/sandbox-clock-store';
import type { Transaction } from '../db/pools';
import { askAgainAt, isPastAsking, isPastWaiting, nextCheckoutLook } from '../domain/checkout-looks';
import type { Instant } from '../domain/instant';
import type { ConnectionRef } from '../connections/connection-ref';
import { reconcileReading, type Reading } from '../webhooks/reconcile/reconcile-reading';
import { addReference } from '../connections/reference-store';
import { findCheckout, type CheckoutRow } from './checkout-store';
import { saveCheckout } from './checkout-write-store';
import { completeOnce } from './complete-once';
import { endCheckout, lockCheckout } from './end-checkout';
import type { CheckoutExpiry } from '../subscriptions/expire-checkout';
import type { Sight } from './look-at-checkout';
import { askForDecision, offeredInWords, recordPaidLate, type PaidWork } from './record-paid-late';
import { stopWaiting } from './stop-waiting';

/** A look at a provider that is to be written down. */
export interface Seen {
  sight: Sight;
  /** What was here before the provider was asked. */
  before: Reading['seen'];
  /** Why the checkout ends, if it does. */
  why: CheckoutExpiry['why'];
}

const NO_ANSWER = 'The payment provider did not say whether it was paid, for days after it had run out.';

/**
 * Writes down, in the open transaction, what a look at a checkout's provider found: as the provider's webhook would,
 * had it come. What was paid is never lost: where the checkout has ended here, an event with status `ERROR` says so.
 *
 * @param recordedAt real time
 * @throws StaleFacts when its subscription has changed since the provider was asked: look again
 */
export async function writeSight(
  trx: Transaction,
  connection: ConnectionRef,
  checkoutId: string,
  seen: Seen,
  recordedAt: Instant,
): Promise<void> {
  const { scope } = connection;
  const row = await lockCheckout(trx, scope, checkoutId);
  if (row === undefined || row.status === 'complete') return;
  const now = recordedAt + (await readClockOffset(trx, scope));
  const { sight } = seen;
  const looks = row.looks + 1;
  switch (sight.kind) {
    case 'paid': {
      await writePaid({ trx, connection, now, recordedAt }, row, sight, seen.before);
      return;
    }
    case 'over':
      await end(trx, connection, row, { why: seen.why, now, recordedAt });
      return;
    case 'unseen': {
      if (!isPastAsking(row.expiresAt, now)) {
        await saveCheckout(
          trx,
          scope,
          row.id,
          { looks, nextWakeAt: askAgainAt({ ...row, looks }, now) },
          now,
        );
        return;
      }
      await end(trx, connection, row, { why: seen.why, now, recordedAt });
      await saveCheckout(trx, scope, row.id, { failure: NO_ANSWER }, now);
      // A webhook may have had it looked at once more.
      if (row.failure !== NO_ANSWER)
        await askForDecision({ trx, connection, now, recordedAt }, row, unreadInWords(row));
      return;
    }
    case 'open': {
      // Its deadline may have come while the provider was asked, or somebody gave it up: then it is looked at once
      // more, to end it.
      const isOver = row.givenUpAt !== null || now >= row.expiresAt;
      const nextWakeAt = isOver ? now : nextCheckoutLook({ ...row, looks }, now);
      const { failure } = sight;
      await saveCheckout(trx, scope, row.id, { looks, nextWakeAt, failure }, now);
    }
  }
}

/** Somebody may have paid it, which nobody here would ever learn. */
function unreadInWords(row: CheckoutRow): string {
  return `The checkout of ${offeredInWords(row)} for ${row.externalId} has run out, and the payment provider could not be read for days: nobody knows whether it was paid. Test the connection, and look the checkout up at the payment provider: refund what was paid, and cancel the subscription if it began one there.`;
}

async function end(
  trx: Transaction,
  { scope }: ConnectionRef,
  row: CheckoutRow,
  { why, now, recordedAt }: { why: CheckoutExpiry['why']; now: Instant; recordedAt: Instant },
): Promise<void> {
  const at = why === 'deadline' ? Math.min(row.expiresAt, now) : now;
  if (row.status === 'open') {
    await endCheckout(trx, scope, row, { why, at, recordedAt, source: 'billing' });
  }
  await saveCheckout(trx, scope, row.id, { nextWakeAt: null }, now);
}

async function writePaid(
  work: PaidWork,
  row: CheckoutRow,
  { facts, subscription, adapter }: Extract<Sight, { kind: 'paid' }>,
  before: Reading['seen'],
): Promise<void> {
  const { trx, connection, now, recordedAt } = work;
  const { scope } = connection;
  const { payment, references, customerReference } = facts;
  if (customerReference !== null) {
    const customer = { kind: 'customer', reference: customerReference } as const;
    await addReference(trx, connection, customer, row.customerId, recordedAt);
  }
  const own =
    row.referenceKind === null || row.reference === null
      ? []
      : [{ kind: row.referenceKind, reference: row.reference }];
  const reading = { subscription, payment, references: [...own, ...references], seen: before };
  await reconcileReading(trx, connection, reading, { now, recordedAt }, adapter);
  if (row.kind === 'payment') {
    await completeOnce(work, row, payment);
    return;
  }
  const after = await findCheckout(trx, scope, row.id);
  if (row.status === 'expired') {
    await recordPaidLate(work, row, payment);
  } else if (after?.status === 'open' && isPastWaiting(row.expiresAt, payment?.status, now)) {
    await stopWaiting(work, row, payment);
  } else if (after?.status === 'open') {
    // Paid, and its subscription is not there yet, or has not begun.
    const looks = row.looks + 1;
    await saveCheckout(trx, scope, row.id, { looks, nextWakeAt: askAgainAt({ ...row, looks }, now) }, now);
  } else {
    await saveCheckout(trx, scope, row.id, { nextWakeAt: null, failure: null }, now);
  }
}
