import type { Clock } from '../../clock/system-clock';
import { readClockOffset } from '../../clock/sandbox-clock-store';
import type { ConnectedProvider } from '../../connections/connected-providers';
import type { Database } from '../../db/pools';
import { inWorkspace } from '../../db/workspace-transaction';
import { DAY_MS, type Instant } from '../../domain/instant';
import type { CollectedPayment } from '../../providers/canonical-event';
import type { Outcome } from '../../providers/outcome';
import type { ConnectionRef } from '../../connections/connection-ref';
import type { WorkspaceScope } from '../../tenancy/actor';
import type { Reconciler } from './reconciler';
import type { BilledSubscription } from '../billed-subscription';
import { findPaymentsRead, savePaymentsRead } from './payments-read-store';

/**
 * How far before the last known charge to read again, because such a charge may have been collected, refunded or
 * disputed since.
 */
const OVERLAP_MS = 62 * DAY_MS;

/** Minimum interval between records of readings that found nothing new. */
const NOTED_MS = DAY_MS / 2;

/** Why the charges could not be read. */
type Unread = Exclude<Outcome<CollectedPayment[]>, { kind: 'done' | 'pending' }>;

/** The subscription whose charges are read. */
type Charged = Pick<
  BilledSubscription,
  'id' | 'provider' | 'connectionId' | 'providerReference' | 'startedAt'
>;

/**
 * Reads the subscription's charges at its provider since the last reading and records them, with refunds and disputes,
 * as their webhooks would: a webhook may be lost, but money may not. If nothing is new, this costs two reads of the
 * provider and no write.
 *
 * @param requestId of the request that caused the charges; null if unknown
 * @returns why the provider could not be read; null if it was, or if there is no provider to ask
 */
export async function readPayments(
  { database, clock, reconciler }: { database: Database; clock: Clock; reconciler: Reconciler },
  { adapter, access }: ConnectedProvider,
  scope: WorkspaceScope,
  { id, provider, connectionId, providerReference, startedAt }: Charged,
  requestId: string | null,
): Promise<Unread | null> {
  if (provider === 'internal' || connectionId === null || providerReference === null) return null;
  if (adapter.listPayments === undefined) return null;
  const { before, offset } = await inWorkspace(database, scope, 'SYSTEM', async (trx) => ({
    before: await findPaymentsRead(trx, scope, id),
    offset: await readClockOffset(trx, scope),
  }));
  if (before === undefined) return null;
  // A sandbox clock may be ahead of the provider's.
  const begun = Math.min(startedAt, clock.now()) - DAY_MS;
  const since = before.until === null ? begun : before.until - OVERLAP_MS;
  const outcome = await adapter.listPayments(access, providerReference, since);
  if (outcome.kind !== 'done' && outcome.kind !== 'pending') return outcome;
  const connection: ConnectionRef = { scope, id: connectionId, provider };
  for (const collected of outcome.value) {
    await reconciler.importPayment({ database, clock, adapter, requestId }, connection, collected);
  }
  const after = {
    until: latest(outcome.value),
    nothingDueAt: latest(outcome.value.filter(({ payment }) => payment.amount === 0n)),
    at: clock.now() + offset,
  };
  const isWorthSaving =
    (after.until ?? 0) > (before.until ?? 0) ||
    (after.nothingDueAt ?? 0) > (before.nothingDueAt ?? 0) ||
    after.at - (before.at ?? 0) > NOTED_MS;
  if (isWorthSaving)
    await inWorkspace(database, scope, 'SYSTEM', (trx) => savePaymentsRead(trx, scope, id, after));
  return null;
}

function latest(collected: readonly CollectedPayment[]): Instant | null {
  return collected.reduce<Instant | null>((last, { payment: { occurredAt } }) => {
    return occurredAt === null || occurredAt < (last ?? 0) ? last : occurredAt;
  }, null);
}
