import { workspaceTime } from '../clock/sandbox-clock-store';
import type { ConnectionRef } from '../connections/connection-ref';
import { findTargets, type Reference } from '../connections/reference-store';
import type { DbTransaction } from '../db/pools';
import { inWorkspaceFor } from '../db/workspace-transaction';
import { findDispute } from '../payments/dispute-store';
import { findPayment } from '../payments/payment-store';
import { findRefund } from '../payments/refund-store';
import type { RefundStatus } from '../domain/refund';
import type { CollectedPayment, ListedDispute, RefundFacts } from '../providers/canonical-event';
import type {
  ImportContext,
  ImportResult,
  ProviderReading,
  SeenSubscription,
} from '../subscriptions/at-provider/reconciler';
import { findBilledSubscription } from '../subscriptions/billed-subscription-store';
import { applyReading } from './apply-reading';
import { findConcernedSubscription } from './reconcile/find-concerned-subscription';
import { PAYMENT_REFERENCE_KINDS } from './reconcile/store-payment-references';
import { wakeEndedCheckout } from './reconcile/wake-checkout';

/**
 * Records a payment read at its provider, with its refunds and disputes, as their webhooks would; whichever comes
 * second changes nothing. If a checkout was paid after it ended, the checkout's workflow is woken. Runs in its own
 * transaction, and takes no lock if everything is recorded already.
 *
 * @returns `unattributed` if its customer is not known here
 */
export async function importPayment(
  { database, clock, adapter, requestId }: ImportContext,
  connection: ConnectionRef,
  collected: CollectedPayment,
): Promise<ImportResult> {
  const caller = { scope: connection.scope, reason: 'SYSTEM', requestId } as const;
  return inWorkspaceFor(database, caller, async (trx) => {
    if (await isImported(trx, connection, collected)) return 'known';
    const { payment, references, refunds, disputes } = collected;
    const recordedAt = clock.now();
    const now = await workspaceTime(trx, connection.scope, recordedAt);
    const read = async (reading: Omit<ProviderReading, 'subscription' | 'seen'>) => {
      const seen = await lockNamedSubscription(trx, connection, [
        ...reading.references,
        { kind: payment.kind, reference: payment.reference },
      ]);
      const whole = { ...reading, subscription: null, seen };
      const result = await applyReading(trx, connection, whole, { adapter, now, recordedAt });
      return result.status !== 'unmatched';
    };
    if (!(await read({ payment, references, refunds }))) return 'unattributed';
    await wakeEndedCheckout(trx, connection, references, now);
    for (const dispute of disputes) {
      for (const reading of disputeReadingsOf(dispute)) await read(reading);
    }
    return 'imported';
  });
}

/**
 * Records a refund of a known payment, or its end.
 *
 * @returns `unattributed` if the payment is not known here
 */
export async function importRefund(
  { database, clock, adapter, requestId }: ImportContext,
  connection: ConnectionRef,
  facts: RefundFacts,
): Promise<ImportResult> {
  const caller = { scope: connection.scope, reason: 'SYSTEM', requestId } as const;
  return inWorkspaceFor(database, caller, async (trx) => {
    const before = await statusOfRefund(trx, connection, facts);
    if (before === facts.status) return 'known';
    const recordedAt = clock.now();
    const now = await workspaceTime(trx, connection.scope, recordedAt);
    const references = [facts.of];
    const seen = await lockNamedSubscription(trx, connection, references);
    const reading = { subscription: null, payment: null, refunds: [facts], references, seen };
    const { status } = await applyReading(trx, connection, reading, { adapter, now, recordedAt });
    if (status === 'unmatched') return 'unattributed';
    // An earlier state is not gone back to.
    return (await statusOfRefund(trx, connection, facts)) === before ? 'known' : 'imported';
  });
}

async function statusOfRefund(
  trx: DbTransaction,
  connection: ConnectionRef,
  { reference }: Pick<RefundFacts, 'reference'>,
): Promise<RefundStatus | undefined> {
  if (reference === null) return undefined;
  const named: Reference = { kind: 'refund', reference };
  const id = (await findTargets(trx, connection, [named])).of(named, 'ref_');
  return id === undefined ? undefined : (await findRefund(trx, connection.scope, id, 'read'))?.status;
}

/**
 * Records a dispute of a known payment.
 *
 * @returns `unattributed` if the payment is not known here
 */
export async function importDispute(
  { database, clock, adapter, requestId }: ImportContext,
  connection: ConnectionRef,
  listed: ListedDispute,
): Promise<ImportResult> {
  const caller = { scope: connection.scope, reason: 'SYSTEM', requestId } as const;
  return inWorkspaceFor(database, caller, async (trx) => {
    const { dispute } = listed;
    const before = await findDispute(trx, connection.scope, connection.id, dispute.reference);
    if (before?.status === dispute.status) return 'known';
    const recordedAt = clock.now();
    const now = await workspaceTime(trx, connection.scope, recordedAt);
    for (const partial of disputeReadingsOf(listed)) {
      const seen = await lockNamedSubscription(trx, connection, partial.references);
      const reading = { ...partial, subscription: null, seen };
      const { status } = await applyReading(trx, connection, reading, { adapter, now, recordedAt });
      if (status === 'unmatched') return 'unattributed';
    }
    // A loss that took nothing is kept as won, so it differs from the provider's report each time.
    const after = await findDispute(trx, connection.scope, connection.id, dispute.reference);
    return after?.status === before?.status ? 'known' : 'imported';
  });
}

/** Returns the same readings as a dispute's webhooks: a decided dispute was opened first. */
function disputeReadingsOf({
  dispute: facts,
  references,
}: ListedDispute): Omit<ProviderReading, 'subscription' | 'seen'>[] {
  const opening = { facts: { ...facts, status: 'open' as const }, at: facts.openedAt };
  const opened = { payment: null, references, dispute: opening };
  return facts.status === 'open'
    ? [opened]
    : [opened, { payment: null, references, dispute: { facts, at: null } }];
}

/** Locks the subscription that the references name before anything else, as webhooks do. */
async function lockNamedSubscription(
  trx: DbTransaction,
  connection: ConnectionRef,
  references: ProviderReading['references'],
): Promise<SeenSubscription | null> {
  const targets = await findTargets(trx, connection, references);
  const seen = await findConcernedSubscription(trx, connection, references, targets);
  if (seen === null) return null;
  const row = await findBilledSubscription(trx, connection.scope, seen.subscriptionId, 'lock');
  return row === undefined ? null : { subscriptionId: row.id, version: row.version };
}

/**
 * Returns whether a payment is stored as it was read, under each of its references, with its subscription, refunds and
 * disputes.
 */
async function isImported(
  trx: DbTransaction,
  connection: ConnectionRef,
  { payment, references, refunds, disputes }: CollectedPayment,
): Promise<boolean> {
  if (payment.amount <= 0n) return true;
  const { scope } = connection;
  const own: Reference = { kind: payment.kind, reference: payment.reference };
  const names = [own, ...references.filter(({ kind }) => PAYMENT_REFERENCE_KINDS.includes(kind))];
  const owners = references.filter(({ kind }) => kind === 'subscription');
  const targets = await findTargets(trx, connection, [...names, ...owners]);
  const id = targets.of(own, 'pay_');
  if (id === undefined || names.some((name) => targets.of(name, 'pay_') !== id)) return false;
  const row = await findPayment(trx, scope, id, 'read');
  // A succeeded payment stays succeeded.
  if (row === undefined || (row.status !== payment.status && row.status !== 'succeeded')) return false;
  if (row.subscriptionId === null && targets.first(owners, 'sub_') !== undefined) return false;
  for (const refund of refunds) {
    if ((await statusOfRefund(trx, connection, refund)) !== refund.status) return false;
  }
  for (const { dispute } of disputes) {
    const known = await findDispute(trx, scope, connection.id, dispute.reference);
    if (known?.status !== dispute.status) return false;
  }
  return true;
}
