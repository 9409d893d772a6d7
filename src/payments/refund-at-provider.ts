import { workspaceTime } from '../clock/sandbox-clock-store';
import { isRefusal } from '../operations/command-errors';
import type { Clock } from '../clock/system-clock';
import type { ConnectedProvider, ConnectedProviders } from '../connections/connected-providers';
import type { Database, DbTransaction } from '../db/pools';
import { inWorkspace } from '../db/workspace-transaction';
import type { Instant } from '../domain/instant';
import { findOperation } from '../operations/operation-store';
import { operationIdOf } from '../operations/target-ids';
import type { Reconciler } from '../subscriptions/at-provider/reconciler';
import type { WorkspaceScope } from '../tenancy/actor';
import type { ConnectionRef } from '../connections/connection-ref';
import {
  requestRefund,
  pollRefund,
  QUIET_MS,
  type RefundAttemptResult,
  type RefundAttempt,
} from './request-refund';
import { completeRefund } from './complete-refund';
import { findPayment } from './payment-store';
import { recordRefundResult } from './record-refund-result';
import { refusalOfExceededRefund, recordExternalRefunds, fetchExternalRefunds } from './external-refunds';
import { BEING_REQUESTED, type RefundAnswer, type RefundOutcome } from './refund-outcome';
import { findRefund, saveRefund, type RefundRow } from './refund-store';
import { refundableReference, type RefundableReference } from './refundable-reference';
import { isRequestedHere } from './requested-here';

/**
 * The caller waits five seconds for the first request. A first request of an older command may have been made before
 * the database was restored to an earlier time or failed over.
 */
const FRESH_MS = 5_000;

/** Refunds at the provider that collected the payment. */
export interface ProviderRefunds {
  /**
   * Requests a pending refund and records the answer: the provider's reference, the outcome, and the answer of its
   * operation. A refund that has ended is not requested again, and one that may have been sent is sent as a repetition.
   * A refund made at the provider is only polled.
   *
   * @throws a transient failure; the outcome is then unknown, and the call is repeated under the same key
   */
  ask(scope: WorkspaceScope, refundId: string): Promise<RefundAnswer>;
}

interface Options {
  database: Database;
  clock: Clock;
  connected: ConnectedProviders;
  reconciler: Reconciler;
}

export function createProviderRefunds(options: Options): ProviderRefunds {
  const { database, clock, connected, reconciler } = options;
  const within = <T>(scope: WorkspaceScope, work: (trx: DbTransaction) => Promise<T>): Promise<T> =>
    inWorkspace(database, scope, 'SYSTEM', work);
  const end = (scope: WorkspaceScope, refundId: string, outcome: RefundOutcome): Promise<RefundAnswer> =>
    within(scope, async (trx) => {
      await completeRefund(trx, scope, { refundId, outcome, operationId: null }, clock.now());
      return { kind: outcome.kind };
    });

  return {
    async ask(scope, refundId) {
      const way = await within(scope, (trx) => findWay(trx, scope, refundId));
      if (way.kind === 'ended') return way.answer;
      // Local billing: an operator moves the money, and this records it.
      if (way.kind === 'here') return end(scope, refundId, { kind: 'done' });
      const { connection } = way;
      const opened = await open(connected, connection);
      if (way.made !== null) {
        const pending = { kind: 'pending' } as const;
        return end(scope, refundId, 'refused' in opened ? pending : await pollRefund(opened, way.made));
      }
      if ('refused' in opened) {
        return end(scope, refundId, way.attempted ? { kind: 'unknown' } : refusal(opened.refused));
      }
      const attempt = await within(scope, (trx) =>
        markAttempted(trx, connection, refundId, way.reference, clock.now()),
      );
      if ('answer' in attempt) return attempt.answer;
      const result = await requestRefund(opened, attempt);
      const refundsThere =
        result.outcome.kind === 'declined' ? await fetchExternalRefunds(opened, attempt) : null;
      const at = { reconciler, connection, adapter: opened.adapter };
      await within(scope, async (trx) => {
        const judged = await refusalOfExceededRefund(trx, scope, refundId, result, refundsThere);
        await recordRefundResult(trx, at, refundId, judged, clock.now());
        // Done last: while ours is open, an external refund of the same amount would be taken for it.
        await recordExternalRefunds(trx, at, refundsThere ?? [], clock.now());
      });
      return toAnswer(result);
    },
  };
}

type Way =
  | { kind: 'ended'; answer: RefundAnswer }
  | { kind: 'here' }
  | {
      kind: 'provider';
      connection: ConnectionRef;
      reference: RefundableReference['reference'];
      attempted: boolean;
      /** The provider's reference of a refund made there; null if it was requested here. */
      made: string | null;
    };

/** Determines from the current row how the refund proceeds. */
async function findWay(trx: DbTransaction, scope: WorkspaceScope, refundId: string): Promise<Way> {
  const refund = await required(trx, scope, refundId, 'read');
  const { provider, status } = refund;
  if (status !== 'pending') return { kind: 'ended', answer: answerOf(refund) };
  if (provider === 'internal') return { kind: 'here' };
  const payment = await findPayment(trx, scope, refund.paymentId, 'read');
  if (payment === undefined) throw new Error(`The payment of ${refundId} is missing.`);
  const { connectionId, reference } = refundableReference(payment, provider);
  const connection = { scope, id: connectionId, provider };
  const made = (await isRequestedHere(trx, scope, refundId)) ? null : refund.reference;
  return { kind: 'provider', connection, reference, attempted: refund.failure !== null, made };
}

/** Opens the connection. If it is deleted or disabled, that is a refusal; unreadable keys are a transient failure. */
async function open(
  connected: ConnectedProviders,
  { scope, id }: ConnectionRef,
): Promise<ConnectedProvider | { refused: string }> {
  try {
    return await connected.open(scope, id);
  } catch (error) {
    if (isRefusal(error)) return { refused: error.detail };
    throw error;
  }
}

/**
 * Records that the refund is about to be requested, so that after a crash it counts as possibly requested.
 *
 * @returns the request to send, or the refund's current answer if nothing is to be sent now
 */
async function markAttempted(
  trx: DbTransaction,
  { scope, provider }: ConnectionRef,
  refundId: string,
  payment: RefundAttempt['payment'],
  now: Instant,
): Promise<RefundAttempt | { answer: RefundAnswer }> {
  const refund = await required(trx, scope, refundId, 'lock');
  if (refund.status !== 'pending') return { answer: answerOf(refund) };
  const { amount, currency, failure, nextWakeAt, reference: known, requestedAt } = refund;
  const repeated = failure !== null;
  const isQuiet = repeated && known === null && (nextWakeAt ?? 0) > now;
  if (isQuiet && provider === 'provider_c') return { answer: { kind: 'unknown' } };
  await saveRefund(trx, scope, {
    ...refund,
    failure: failure ?? BEING_REQUESTED,
    nextWakeAt: now + QUIET_MS[provider],
  });
  const at = await workspaceTime(trx, scope, now);
  const operation = await findOperation(trx, scope, operationIdOf(refundId));
  const mayExist = repeated || (operation !== undefined && now - operation.createdAt > FRESH_MS);
  return { refundId, payment, amount, currency, mayExist, known, requestedAt, at };
}

async function required(
  trx: DbTransaction,
  scope: WorkspaceScope,
  refundId: string,
  lock: 'lock' | 'read',
): Promise<RefundRow> {
  const refund = await findRefund(trx, scope, refundId, lock);
  if (refund === undefined) throw new Error(`There is no refund ${refundId}.`);
  return refund;
}

function answerOf({ status }: RefundRow): RefundAnswer {
  return { kind: status === 'failed' ? 'declined' : 'done' };
}

function toAnswer({ outcome }: RefundAttemptResult): RefundAnswer {
  return { kind: outcome.kind };
}

function refusal(reason: string): RefundOutcome {
  return { kind: 'declined', reason };
}
