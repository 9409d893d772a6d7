import type { Clock } from '../../clock/clock';
import { readClockOffset } from '../../clock/sandbox-clock-store';
import type { Database, DbTransaction } from '../../db/pools';
import { inWorkspaceFor } from '../../db/workspace-transaction';
import type { CollectedPayment, ListedDispute } from '../../providers/canonical-event';
import type { ProviderAdapter } from '../../providers/provider-adapter';
import { findBilledSubscription } from '../../subscriptions/billed-subscription-store';
import type { ConnectionRef } from '../../connections/connection-ref';
import { findDispute } from '../../payments/dispute-store';
import { isRecorded } from './is-recorded';
import { reconcileReading, type Reading } from './reconcile-reading';
import type { CurrentFacts } from './reconciliation';
import { findTargets } from '../../connections/reference-store';
import { findConcernedSubscription } from './subscription-of-targets';

interface Recording {
  database: Database;
  clock: Clock;
  adapter: ProviderAdapter;
  /** Of the request that asked for it; null where none did. */
  requestId: string | null;
}

/** `known`: it stood here already as it was read. */
type Recorded = 'recorded' | 'known' | 'nobodys';

/**
 * Writes down a payment that was read at its provider, with its refunds and disputes, as the webhooks about them would:
 * whichever of the two comes first, the other changes nothing. The payment has a transaction of its own; what is
 * recorded already as it is costs no lock.
 *
 * @returns `nobodys` when nobody here is known whose payment it is
 */
export async function recordCollected(
  { database, clock, adapter, requestId }: Recording,
  connection: ConnectionRef,
  collected: CollectedPayment,
): Promise<Recorded> {
  const caller = { scope: connection.scope, reason: 'SYSTEM', requestId } as const;
  return inWorkspaceFor(database, caller, async (trx) => {
    if (await isRecorded(trx, connection, collected)) return 'known';
    const { payment, references, refunds, disputes } = collected;
    const recordedAt = clock.now();
    const times = { now: recordedAt + (await readClockOffset(trx, connection.scope)), recordedAt };
    const read = async (reading: Omit<Reading, 'subscription' | 'seen'>) => {
      const seen = await lockConcerned(trx, connection, [
        ...reading.references,
        { kind: payment.kind, reference: payment.reference },
      ]);
      const result = await reconcileReading(
        trx,
        connection,
        { ...reading, subscription: null, seen },
        times,
        adapter,
      );
      return result.status !== 'unmatched';
    };
    if (!(await read({ payment, references, refunds }))) return 'nobodys';
    for (const dispute of disputes) {
      for (const state of statesOf(dispute)) await read(state);
    }
    return 'recorded';
  });
}

/**
 * The same for a dispute of a payment that is known here.
 *
 * @returns `nobodys` when the payment is not known
 */
export async function recordListedDispute(
  { database, clock, adapter, requestId }: Recording,
  connection: ConnectionRef,
  listed: ListedDispute,
): Promise<Recorded> {
  const caller = { scope: connection.scope, reason: 'SYSTEM', requestId } as const;
  return inWorkspaceFor(database, caller, async (trx) => {
    const { dispute } = listed;
    const before = await findDispute(trx, connection.scope, connection.id, dispute.reference);
    if (before?.status === dispute.status) return 'known';
    const recordedAt = clock.now();
    const times = { now: recordedAt + (await readClockOffset(trx, connection.scope)), recordedAt };
    for (const state of statesOf(listed)) {
      const seen = await lockConcerned(trx, connection, state.references);
      const reading = { ...state, subscription: null, seen };
      const { status } = await reconcileReading(trx, connection, reading, times, adapter);
      if (status === 'unmatched') return 'nobodys';
    }
    return 'recorded';
  });
}

/** A dispute that is decided was opened before, as its webhooks tell. */
function statesOf({
  dispute: facts,
  openedAt: at,
  references,
}: ListedDispute): Omit<Reading, 'subscription' | 'seen'>[] {
  const opened = { payment: null, references, dispute: { facts: { ...facts, status: 'open' as const }, at } };
  return facts.status === 'open'
    ? [opened]
    : [opened, { payment: null, references, dispute: { facts, at: null } }];
}

/** The subscription that references name, locked before anything else, as webhooks do. */
async function lockConcerned(
  trx: DbTransaction,
  connection: ConnectionRef,
  references: Reading['references'],
): Promise<CurrentFacts['seen']> {
  const targets = await findTargets(trx, connection, references);
  const seen = await findConcernedSubscription(trx, connection, references, targets);
  if (seen === null) return null;
  const row = await findBilledSubscription(trx, connection.scope, seen.subscriptionId, 'lock');
  return row === undefined ? null : { subscriptionId: row.id, version: row.version };
}
