import { workspaceTime } from '../clock/sandbox-clock-store';
import type { ConnectionRef } from '../connections/connection-ref';
import { findTargets, type Reference } from '../connections/reference-store';
import type { DbTransaction } from '../db/pools';
import { inWorkspaceFor } from '../db/workspace-transaction';
import { findDispute } from '../payments/dispute-store';
import { findPayment } from '../payments/payment-store';
import { findRefund } from '../payments/refund-store';
import type { Instant } from '../domain/instant';
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
  context: ImportContext,
  connection: ConnectionRef,
  collected: CollectedPayment,
): Promise<ImportResult> {
  return inWorkspaceFor(context.database, callerOf(context, connection), async (trx) => {
    if (await isImported(trx, connection, collected)) return 'known';
    const { payment, references, refunds, disputes } = collected;
    const own: Reference = { kind: payment.kind, reference: payment.reference };
    const { now, apply } = await beginApplying(trx, context, connection);
    if (!(await apply({ payment, references, refunds }, [own]))) return 'unattributed';
    await wakeEndedCheckout(trx, connection, references, now);
    for (const dispute of disputes) {
      for (const reading of disputeReadingsOf(dispute)) await apply(reading, [own]);
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
  context: ImportContext,
  connection: ConnectionRef,
  facts: RefundFacts,
): Promise<ImportResult> {
  return inWorkspaceFor(context.database, callerOf(context, connection), async (trx) => {
    const statusNow = async () => (await statusesOfRefunds(trx, connection, [facts])).get(facts.reference);
    const before = await statusNow();
    if (before === facts.status) return 'known';
    const { apply } = await beginApplying(trx, context, connection);
    const reading = { payment: null, references: [facts.of], refunds: [facts] };
    if (!(await apply(reading))) return 'unattributed';
    // An earlier state is not gone back to.
    return (await statusNow()) === before ? 'known' : 'imported';
  });
}

/** @returns the status of each refund that is known here, by its reference */
async function statusesOfRefunds(
  trx: DbTransaction,
  connection: ConnectionRef,
  refunds: readonly Pick<RefundFacts, 'reference'>[],
): Promise<Map<string | null, RefundStatus>> {
  const names = refunds.flatMap(({ reference }): Reference[] =>
    reference === null ? [] : [{ kind: 'refund', reference }],
  );
  const statuses = new Map<string | null, RefundStatus>();
  if (names.length === 0) return statuses;
  const targets = await findTargets(trx, connection, names);
  for (const name of names) {
    const id = targets.of(name, 'ref_');
    const row = id === undefined ? undefined : await findRefund(trx, connection.scope, id, 'read');
    if (row !== undefined) statuses.set(name.reference, row.status);
  }
  return statuses;
}

/**
 * Records a dispute of a known payment.
 *
 * @returns `unattributed` if the payment is not known here
 */
export async function importDispute(
  context: ImportContext,
  connection: ConnectionRef,
  listed: ListedDispute,
): Promise<ImportResult> {
  return inWorkspaceFor(context.database, callerOf(context, connection), async (trx) => {
    const { dispute } = listed;
    const before = await findDispute(trx, connection.scope, connection.id, dispute.reference);
    if (before?.status === dispute.status) return 'known';
    const { apply } = await beginApplying(trx, context, connection);
    for (const reading of disputeReadingsOf(listed)) if (!(await apply(reading))) return 'unattributed';
    // A loss that took nothing is kept as won, so it differs from the provider's report each time.
    const after = await findDispute(trx, connection.scope, connection.id, dispute.reference);
    return after?.status === before?.status ? 'known' : 'imported';
  });
}

function callerOf({ requestId }: ImportContext, { scope }: ConnectionRef) {
  return { scope, reason: 'SYSTEM', requestId } as const;
}

type Reading = Omit<ProviderReading, 'subscription' | 'seen'>;

/**
 * Begins to record what was read.
 *
 * @returns the workspace's time, and a function that applies a reading; false if what it names is not known here. Its
 *   second argument is what else may name the subscription
 */
async function beginApplying(
  trx: DbTransaction,
  { clock, adapter }: ImportContext,
  connection: ConnectionRef,
): Promise<{ now: Instant; apply: (reading: Reading, more?: Reference[]) => Promise<boolean> }> {
  const recordedAt = clock.now();
  const now = await workspaceTime(trx, connection.scope, recordedAt);
  const apply = async (reading: Reading, more: Reference[] = []): Promise<boolean> => {
    const seen = await lockNamedSubscription(trx, connection, [...reading.references, ...more]);
    const whole = { ...reading, subscription: null, seen };
    const { status } = await applyReading(trx, connection, whole, { adapter, now, recordedAt });
    return status !== 'unmatched';
  };
  return { now, apply };
}

/** Returns the same readings as a dispute's webhooks: a decided dispute was opened first. */
function disputeReadingsOf({ dispute: facts, references }: ListedDispute): Reading[] {
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
  const statuses = await statusesOfRefunds(trx, connection, refunds);
  if (refunds.some(({ reference, status }) => statuses.get(reference) !== status)) return false;
  for (const { dispute } of disputes) {
    const known = await findDispute(trx, scope, connection.id, dispute.reference);
    if (known?.status !== dispute.status) return false;
  }
  return true;
}
