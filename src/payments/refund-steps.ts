import type { Clock } from '../clock/clock';
import { readClockOffset } from '../clock/sandbox-clock-store';
import type { Database, Transaction } from '../db/pools';
import { inWorkspace } from '../db/workspace-transaction';
import type { RefundStatus } from '../domain/refund';
import type { Instant } from '../domain/instant';
import type { Provider } from '../domain/subscription-types';
import { markRefused } from '../operations/operation-store';
import { problemOfRefusal } from '../operations/problem-of-refusal';
import { isRefusal, worthAnotherTry } from '../operations/run-operation';
import type { ProviderRefundRequest, RefundOutcome } from '../providers/provider';
import type { WorkspaceScope } from '../tenancy/scope';
import { completeRefund } from './complete-refund';
import { findRefund, type RefundRow } from './refund-store';
import { reserveRefund } from './reserve-refund';

/** A refund as its workflow works with it: JSON-safe, and without personal data. */
export interface RefundView extends ProviderRefundRequest {
  provider: Provider;
  status: RefundStatus;
  /** Real time: when the provider is asked again; null once nothing is open. */
  nextWakeAt: Instant | null;
  /** How far the workspace's clock is ahead of real time, in milliseconds. */
  clockOffset: number;
}

/** The transactions of a refund, on both sides of the call to the provider. Each can be repeated. */
export interface RefundSteps {
  /**
   * Reserves the amount under the payment's lock, so that refunds together never exceed it.
   *
   * @returns `answered` when the refund has ended, and its operation has its answer
   * @throws TollgateError the refusal, after it was noted on the operation. Anything else is worth another try.
   */
  reserve(
    scope: WorkspaceScope,
    refundId: string,
    operationId: string,
  ): Promise<{ kind: 'reserved'; refund: RefundView } | { kind: 'answered' }>;
  /**
   * Writes what the provider said, and answers the operation. An outcome that is `pending` or `unknown` leaves the
   * reservation and answers nothing: the provider is asked again at the next wake. What has ended stays as it is.
   *
   * @param operationId the command that waits; null where the workflow was woken by time
   */
  complete(
    scope: WorkspaceScope,
    refundId: string,
    outcome: RefundOutcome,
    operationId: string | null,
  ): Promise<void>;
  read(scope: WorkspaceScope, refundId: string): Promise<RefundView | undefined>;
}

/** What a worker needs of refunds. */
export function createRefundSteps({ database, clock }: { database: Database; clock: Clock }): RefundSteps {
  return {
    async reserve(scope, refundId, operationId) {
      try {
        return await inWorkspace(database, scope, 'SYSTEM', async (trx) => {
          const row = await reserveRefund(trx, scope, refundId, operationId, clock.now());
          return row.status === 'pending'
            ? { kind: 'reserved', refund: await viewOf(trx, scope, row) }
            : { kind: 'answered' };
        });
      } catch (error) {
        if (!isRefusal(error)) throw worthAnotherTry(error);
        await inWorkspace(database, scope, 'SYSTEM', (trx) =>
          markRefused(trx, scope, operationId, problemOfRefusal(error), clock.now()),
        );
        throw error;
      }
    },

    complete: (scope, refundId, outcome, operationId) =>
      inWorkspace(database, scope, 'SYSTEM', (trx) =>
        completeRefund(trx, scope, { refundId, outcome, operationId }, clock.now()),
      ),

    read: (scope, refundId) =>
      inWorkspace(database, scope, 'SYSTEM', async (trx) => {
        const row = await findRefund(trx, scope, refundId, 'read');
        return row === undefined ? undefined : viewOf(trx, scope, row);
      }),
  };
}

async function viewOf(trx: Transaction, scope: WorkspaceScope, row: RefundRow): Promise<RefundView> {
  const { id, paymentId, provider, status, amount, currency, nextWakeAt } = row;
  return {
    refundId: id,
    paymentId,
    provider,
    status,
    amount: amount.toString(),
    currency,
    // An operation that was refused and is sent again never came to the provider, so one key is enough for a refund.
    idempotencyKey: id,
    nextWakeAt,
    clockOffset: await readClockOffset(trx, scope),
  };
}
