import type { Clock } from '../clock/system-clock';
import type { Database } from '../db/pools';
import { inWorkspace } from '../db/workspace-transaction';
import type { RefundStatus } from '../domain/refund';
import type { Instant } from '../domain/instant';
import type { WorkspaceScope } from '../tenancy/actor';
import { completeRefund } from './complete-refund';
import type { RefundOutcome } from './refund-outcome';
import { findRefund, type RefundRow } from './refund-store';
import { reserveRefund } from './reserve-refund';
import type { Provider } from '../domain/provider';
import { storingRefusal } from '../operations/storing-refusal';

/** A refund as used by its workflow: JSON-safe, and without personal data. */
export interface RefundView {
  refundId: string;
  paymentId: string;
  provider: Provider;
  status: RefundStatus;
  /** When the provider is asked again (real time); null once nothing is open. */
  nextWakeAt: Instant | null;
}

/** The transactions of a refund before and after the call to the provider. Each can be repeated. */
export interface RefundSteps {
  /**
   * Reserves the amount under the payment's lock, so that the sum of refunds never exceeds it.
   *
   * @returns `answered` when the refund has ended, and its operation has its answer
   * @throws TollgateError the refusal, after it was recorded on the operation. Any other error can be retried.
   */
  reserve(
    scope: WorkspaceScope,
    refundId: string,
    operationId: string,
  ): Promise<{ kind: 'reserved'; refund: RefundView } | { kind: 'answered' }>;
  /**
   * Records an outcome and answers the operation. A `pending` or `unknown` outcome keeps the reservation and answers
   * nothing: the provider is asked again at the next wake-up. A refund that has ended is not changed.
   *
   * @param operationId the waiting command; null if a timer woke the workflow
   */
  complete(
    scope: WorkspaceScope,
    refundId: string,
    outcome: RefundOutcome,
    operationId: string | null,
  ): Promise<void>;
  read(scope: WorkspaceScope, refundId: string): Promise<RefundView | undefined>;
}

/** Creates the refund steps for a worker. */
export function createRefundSteps({ database, clock }: { database: Database; clock: Clock }): RefundSteps {
  return {
    reserve: (scope, refundId, operationId) =>
      storingRefusal({ database, clock }, scope, operationId, () =>
        inWorkspace(database, scope, 'SYSTEM', async (trx) => {
          const row = await reserveRefund(trx, scope, { refundId, operationId }, clock.now());
          return row.status === 'pending' ? { kind: 'reserved', refund: viewOf(row) } : { kind: 'answered' };
        }),
      ),

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
