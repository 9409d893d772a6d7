import type { DbTransaction } from '../../db/pools';
import type { ChangeKind } from '../../domain/announced-facts';
import type { EventStatus, EventType } from '../../domain/event-types';
import type { Instant } from '../../domain/instant';
import type { WorkspaceScope } from '../../tenancy/actor';
import { eventDataOf, type BilledSubscription } from '../billed-subscription';
import { recordSubscriptionEvent } from '../subscription-history-store';

/** A change between a subscription and its provider that no command caused. */
interface ProviderSyncEvent {
  /** In the past tense. */
  kind: ChangeKind;
  /** A sentence for people. */
  message: string;
  /** The workspace's time. */
  at: Instant;
  /** Real time. */
  recordedAt: Instant;
  /** Defaults to `SUBSCRIPTION_CHANGED`. */
  type?: EventType;
  /** Defaults to `ERROR`. */
  status?: EventStatus;
  data?: Readonly<Record<string, unknown>>;
}

/** Writes the change to the history and the developer events. */
export async function recordProviderSyncEvent(
  trx: DbTransaction,
  scope: WorkspaceScope,
  row: BilledSubscription,
  happened: ProviderSyncEvent,
): Promise<void> {
  const {
    kind,
    message,
    at,
    recordedAt,
    type = 'SUBSCRIPTION_CHANGED',
    status = 'ERROR',
    data = {},
  } = happened;
  const { provider, connectionId } = row;
  const entry = {
    subscriptionId: row.id,
    kind,
    type,
    status,
    message,
    source: 'billing',
    data: {
      provider,
      connectionId,
      ...eventDataOf(row),
      currentPeriodEnd: new Date(row.currentPeriodEnd).toISOString(),
      ...data,
    },
  } as const;
  await recordSubscriptionEvent(trx, scope, entry, { happenedAt: at, recordedAt });
}
