import type { Clock } from '../clock/system-clock';
import { workspaceTime } from '../clock/sandbox-clock-store';
import type { Database } from '../db/pools';
import { inWorkspace } from '../db/workspace-transaction';
import type { Instant } from '../domain/instant';
import { withCustomerReturned } from '../domain/past-due-reading';
import type { ProviderWork } from '../domain/provider-work';
import { enqueueSubscriptionSignals } from '../outbox/enqueue';
import type { WorkspaceScope } from '../tenancy/actor';
import { TokenBuckets } from '../rate-limits/token-buckets';
import type { BilledSubscription } from './billed-subscription';
import { findBilledSubscription } from './billed-subscription-store';
import { saveBilledSubscription } from './save-subscription-store';

/** Rate limit for accepted returns, per address and per subscription. */
const BOUNDS = { aSecond: 1 / 6, burst: 5 };

/** A string that cannot be an id is not looked up. */
const ID = /^\w{1,100}$/;

/** Handles customers who return from paying at their provider. */
export interface ReturnRedirect {
  /**
   * Makes a past-due subscription's workflow read its provider at once. The caller is unauthenticated and gets no
   * information: an unknown subscription, one that is not waiting for payment and one that was just read all look the
   * same.
   *
   * @param from the caller's address, without the part that a caller can choose (`ipPrefix`)
   */
  returned(scope: WorkspaceScope, subscriptionId: string, from: string): Promise<void>;
}

export function createReturnRedirect({
  database,
  clock,
}: {
  database: Database;
  clock: Clock;
}): ReturnRedirect {
  const byAddress = new TokenBuckets(BOUNDS);
  const bySubscription = new TokenBuckets(BOUNDS);
  return {
    async returned(scope, subscriptionId, from) {
      if (!ID.test(scope.workspaceId) || !ID.test(subscriptionId)) return;
      const recordedAt = clock.now();
      if (byAddress.take(from, 1, recordedAt) > 0) return;
      if (bySubscription.take(subscriptionId, 1, recordedAt) > 0) return;
      await inWorkspace(database, scope, 'SYSTEM', async (trx) => {
        const seen = await findBilledSubscription(trx, scope, subscriptionId, 'read');
        // Reads without a lock first, because an unauthenticated caller must not take locks for nothing.
        if (seen === undefined) return;
        const now = await workspaceTime(trx, scope, recordedAt);
        if (workAfterReturn(seen, now) === null) return;
        const row = await findBilledSubscription(trx, scope, subscriptionId, 'lock');
        const work = row === undefined ? null : workAfterReturn(row, now);
        if (row === undefined || work === null) return;
        await saveBilledSubscription(trx, scope, { ...row, work }, now);
        await enqueueSubscriptionSignals(trx, scope, [row.id]);
      });
    },
  };
}

function workAfterReturn(row: BilledSubscription, now: Instant): ProviderWork | null {
  return row.provider === 'internal' ? null : withCustomerReturned(row, now);
}
