import { nextPastDueRead, pastDueReadAt } from '../../domain/past-due-reading';
import type { WorkspaceScope } from '../../tenancy/actor';
import { saveBilledSubscription } from '../save-subscription-store';
import type { DueStep } from '../subscription-steps';
import { refreshFromProvider } from './refresh-from-provider';
import type { Attempt, ProviderSide } from './resolve-pending-call';

/**
 * Reads a past-due subscription and its charges at its provider, in case the webhook of its payment does not arrive.
 * Repeats at the next time while the subscription stays past due or the provider cannot be read; no event records the
 * individual tries.
 *
 * @throws UnknownOutcomeError when the provider did not answer and this was not the last attempt
 */
export async function readPastDue(
  side: ProviderSide,
  scope: WorkspaceScope,
  { subscriptionId, at }: DueStep,
  { isLast }: Attempt,
): Promise<void> {
  await refreshFromProvider(side, scope, { subscriptionId, at, isLast }, async (trx, row) => {
    const { pastDueSince } = row;
    const planned = pastDueReadAt(row);
    if (pastDueSince === null || planned === null || planned > at) return;
    const work = { ...row.work, pastDueReadAt: nextPastDueRead(pastDueSince, at) };
    await saveBilledSubscription(trx, scope, { ...row, work }, at);
  });
}
