import { isRefusal, toRetryableError } from '../operations/command-errors';
import type { Clock } from '../clock/system-clock';
import type { Database } from '../db/pools';
import { inWorkspace } from '../db/workspace-transaction';
import type { RefundStatus } from '../domain/refund';
import type { Instant } from '../domain/instant';
import { markRefused } from '../operations/conclude-operation-store';
import { toOperationProblem } from '../operations/operation-problem';
import type { WorkspaceScope } from '../tenancy/actor';
import { completeRefund } from './complete-refund';
import type { RefundOutcome } from './refund-outcome';
import { findRefund, type RefundRow } from './refund-store';
import { reserveRefund } from './reserve-refund';
import type { Provider } from '../domain/provider';

/** A refund as its workflow works with it: JSON-safe, and without personal data. */
export interface RefundView {
  refundId: string;
  paymentId: string;
  provider: Provider;
  status: RefundStatus;
  /** Real time: when the provider is asked again; null once nothing is open. */
  nextWakeAt: Instant | null;
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
   * Writes an outcome down, and answers the operation. One that is `pending` or `unknown` leaves the reservation and
   * answers nothing: the provider is asked again at the next wake. What has ended stays as it is.
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
          return row.status === 'pending' ? { kind: 'reserved', refund: viewOf(row) } : { kind: 'answered' };
        });
      } catch (error) {
        if (!isRefusal(error)) throw toRetryableError(error);
        await inWorkspace(database, scope, 'SYSTEM', (trx) =>
          markRefused(trx, scope, operationId, toOperationProblem(error), clock.now()),
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
        return row === undefined ? undefined : viewOf(row);
      }),
  };
}

function viewOf({ id, paymentId, provider, status, nextWakeAt }: RefundRow): RefundView {
  return { refundId: id, paymentId, provider, status, nextWakeAt };
}
