import { inWorkspace } from '../db/workspace-transaction';
import type { Drift } from '../domain/drift';
import { recordProviderSyncEvent } from '../subscriptions/at-provider/provider-sync-event';
import type { BilledSubscription } from '../subscriptions/billed-subscription';
import { findBilledSubscription } from '../subscriptions/billed-subscription-store';
import type { Actor } from '../tenancy/actor';
import type { Comparing, Comparison } from './compare';
import { readFinding, writeFinding, type DriftFinding } from './drift-store';

/** `found`: new or changed differences. `gone`: the differences no longer exist. Null: nothing new. */
export type FindingChange = 'found' | 'gone' | null;

/**
 * Stores a comparison's finding with its subscription, and reports it by a developer event if it is new. A subscription
 * that changed since the comparison is left to the next one.
 */
export async function recordFinding(
  { database, clock }: Pick<Comparing, 'database' | 'clock'>,
  { scope, reason }: Pick<Actor, 'scope' | 'reason'>,
  comparison: Comparison,
): Promise<FindingChange> {
  // A comparison that was not possible changes nothing: the subscription neither differs nor matches.
  if (comparison.drift.inSync === null) return null;
  const { id, version } = comparison.subscription;
  return inWorkspace(database, scope, reason, async (trx) => {
    const row = await findBilledSubscription(trx, scope, id, 'lock');
    if (row?.version !== version) return null;
    const change = changeOf(await readFinding(trx, scope, id), comparison.drift);
    if (change === null) return null;
    await recordProviderSyncEvent(trx, scope, row, {
      ...eventOf(change, row, comparison),
      at: comparison.checkedAt,
      recordedAt: clock.now(),
    });
    const finding = { differences: differencesOf(comparison.drift), foundAt: comparison.checkedAt };
    await writeFinding(trx, scope, id, change === 'found' ? finding : null);
    return change;
  });
}

function changeOf(last: DriftFinding | null, drift: Drift): FindingChange {
  if (drift.inSync) return last === null ? null : 'gone';
  const same = JSON.stringify(last?.differences) === JSON.stringify(differencesOf(drift));
  return same ? null : 'found';
}

function differencesOf({ differences }: Drift): DriftFinding['differences'] {
  return differences.map(({ field, local, provider }) => ({ field, local, provider }));
}

function eventOf(
  change: NonNullable<FindingChange>,
  { externalId }: BilledSubscription,
  { drift }: Comparison,
) {
  if (change === 'gone') {
    const message = `${externalId}'s subscription matches the payment provider's again.`;
    return { kind: 'drift_gone', status: 'OK', message } as const;
  }
  const words = drift.differences.map((difference) => difference.words).join(' ');
  return {
    kind: 'drift_found',
    status: 'ERROR',
    message: `${externalId}'s subscription differs from the payment provider's. ${words}`,
    data: { differences: differencesOf(drift) },
  } as const;
}
