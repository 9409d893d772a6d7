import type { DbTransaction } from '../../db/pools';
import type { Instant } from '../../domain/instant';
import { stepsOfTime } from '../../domain/lifecycle';
import { pollAgainAfter } from '../../domain/provider-work';
import { periodOverAt } from '../../domain/pending-cancellation';
import type { WorkspaceScope } from '../../tenancy/actor';
import type { BilledSubscription } from '../billed-subscription';
import { saveBilledSubscription } from '../save-subscription-store';
import type { DueStep } from '../subscription-steps';
import { recordProviderSyncEvent } from './provider-sync-event';
import { refreshFromProvider } from './refresh-from-provider';
import type { Attempt, ProviderSide } from './resolve-pending-call';

/**
 * Reads the provider at the end of a period: whether the next one has begun, with which change, or whether the
 * subscription has ended. If the provider has not renewed yet, it is read again at growing intervals. The same step
 * reads a charge that follows after the beginning of its period (`withReadOfCharge`).
 */
export async function readAtPeriodEnd(
  side: ProviderSide,
  scope: WorkspaceScope,
  due: DueStep,
  { isLast }: Attempt,
): Promise<void> {
  const { subscriptionId, at } = due;
  await refreshFromProvider(
    side,
    scope,
    { subscriptionId, at, isLast },
    async (trx, row, failure, recordedAt) => {
      // It was read for another reason, or its end has moved into the future.
      if (failure === null && at < periodOverAt(row)) {
        await stopReading(trx, scope, row, at);
        return;
      }
      if (!isStillOver(row, at)) return;
      if (failure !== null && row.work.looks === 0) {
        const subject =
          at < periodOverAt(row)
            ? `The subscription of ${row.externalId}`
            : `The period of ${row.externalId} ended, but the subscription`;
        const message = `${subject} could not be read at the payment provider: ${failureInWords(failure)}`;
        await recordProviderSyncEvent(trx, scope, row, {
          kind: 'provider_not_read',
          message,
          at,
          recordedAt,
        });
      }
      await readAgain(trx, scope, row, at);
    },
  );
}

async function stopReading(
  trx: DbTransaction,
  scope: WorkspaceScope,
  row: BilledSubscription,
  at: Instant,
): Promise<void> {
  const { lookAgainAt } = row.work;
  // A later one was planned by this reading, because the charge of the period is outstanding.
  if (lookAgainAt === null || lookAgainAt > at) return;
  await saveBilledSubscription(
    trx,
    scope,
    { ...row, work: { ...row.work, lookAgainAt: null, looks: 0 } },
    at,
  );
}

function isStillOver(row: BilledSubscription, at: Instant): boolean {
  return stepsOfTime(row).some(({ step, at: due }) => step === 'read_back' && due <= at);
}

async function readAgain(
  trx: DbTransaction,
  scope: WorkspaceScope,
  row: BilledSubscription,
  at: Instant,
): Promise<void> {
  const { looks } = row.work;
  const work = { ...row.work, looks: looks + 1, lookAgainAt: pollAgainAfter(looks, at) };
  await saveBilledSubscription(trx, scope, { ...row, work }, at);
}

function failureInWords(failure: { kind: string; reason?: string }): string {
  return failure.reason ?? failure.kind;
}
