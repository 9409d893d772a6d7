import type { Times } from '../clock/times';
import { workspaceTime } from '../clock/sandbox-clock-store';
import type { DbTransaction } from '../db/pools';
import { setRequest } from '../db/workspace-transaction';
import { HOUR_MS, MINUTE_MS, type Instant } from '../domain/instant';
import { isRefundNeed, REFUND_NEEDS, type RefundStatus } from '../domain/refund';
import { markRefused } from '../operations/conclude-operation-store';
import { findOperation } from '../operations/operation-store';
import { toOperationProblem } from '../operations/operation-problem';
import { operationIdOf } from '../operations/target-ids';
import type { WorkspaceScope } from '../tenancy/actor';
import { recordRefundEvent } from './refund-event';
import { ACCEPTED, BEING_REQUESTED, UNCONFIRMED, type RefundOutcome } from './refund-outcome';
import { toRefundResource } from './refund-resource';
import { findRefund, saveRefund, type RefundRow } from './refund-store';
import { completeOperation } from '../operations/complete-operation';

/** Delay before the provider is asked again, in milliseconds, unless the caller has set one. */
const RECHECK_MS = { unknown: MINUTE_MS, pending: HOUR_MS } as const;

/** The effect of the provider's answer on a refund. */
interface Verdict {
  status: RefundStatus;
  failure: string | null;
  /** Milliseconds; null if nothing is open. */
  askAgainMs: number | null;
}

function verdictOf(outcome: RefundOutcome): Verdict {
  switch (outcome.kind) {
    case 'done':
      return { status: 'succeeded', failure: null, askAgainMs: null };
    case 'declined':
      return { status: 'failed', failure: outcome.reason, askAgainMs: null };
    case 'pending':
      return {
        status: 'pending',
        failure: outcome.needs ? REFUND_NEEDS[outcome.needs] : ACCEPTED,
        askAgainMs: RECHECK_MS.pending,
      };
    case 'unknown':
      return {
        status: 'pending',
        failure: UNCONFIRMED,
        askAgainMs: RECHECK_MS.unknown,
      };
  }
}

/** What is needed stays needed until the provider says otherwise, even if it was not read this time. */
function verdictNow({ failure }: RefundRow, outcome: RefundOutcome): Verdict {
  const verdict = verdictOf(outcome);
  const isUnread = outcome.kind === 'unknown' || (outcome.kind === 'pending' && outcome.needs === undefined);
  return isUnread && isRefundNeed(failure) ? { ...verdict, failure } : verdict;
}

/**
 * Records the provider's answer in the open transaction: the refund, its event, and once the refund has ended, the
 * answer of its operation.
 *
 * @param recordedAt real time
 */
export async function completeRefund(
  trx: DbTransaction,
  scope: WorkspaceScope,
  {
    refundId,
    outcome,
    operationId,
  }: { refundId: string; outcome: RefundOutcome; operationId: string | null },
  recordedAt: Instant,
): Promise<void> {
  const before = await findRefund(trx, scope, refundId, 'lock');
  if (before === undefined) throw new Error(`There is no refund ${refundId}.`);
  const operation = await findOperation(trx, scope, operationId ?? operationIdOf(refundId));
  if (operation !== undefined) await setRequest(trx, operation.requestId);
  const now = await workspaceTime(trx, scope, recordedAt);
  const after = before.status === 'pending' ? judged(before, outcome, { now, recordedAt }) : before;
  if (after !== before) {
    await saveRefund(trx, scope, after);
    // An outcome that stays unknown is reported once.
    const isNew = after.status !== before.status || after.failure !== before.failure;
    const times = { happenedAt: now, recordedAt };
    // Integrators hear once of a refund that stays pending, at the provider's first answer, unless somebody has to act.
    const isFirst = before.failure === null || before.failure === BEING_REQUESTED;
    const announce = after.status !== before.status || isFirst || isRefundNeed(after.failure);
    const reason = operation?.reason ?? 'SYSTEM';
    if (isNew) await recordRefundEvent(trx, scope, after, reason, times, { announce });
  }
  // Nothing has ended, so there is no answer yet; the caller polls the operation.
  if (after.status === 'pending') return;
  if (operation === undefined || operation.status === 'succeeded') return;
  // The refund had ended before, together with its command; the workflow reports the outcome once more.
  if (after === before && operation.status === 'refused') return;
  if (outcome.kind === 'declined' && outcome.refusal !== undefined) {
    await markRefused(trx, scope, operation.id, toOperationProblem(outcome.refusal), recordedAt);
  } else {
    // Also if it failed: the command was carried out, and the refund is its result.
    const answer = { status: 201, body: toRefundResource(after) };
    await completeOperation(trx, scope, operation, answer, recordedAt);
  }
}

function judged(row: RefundRow, outcome: RefundOutcome, { now, recordedAt }: Times): RefundRow {
  const { status, failure, askAgainMs } = verdictNow(row, outcome);
  const isSet = outcome.kind === 'unknown' && row.nextWakeAt !== null && row.nextWakeAt > recordedAt;
  const later = askAgainMs === null ? null : recordedAt + askAgainMs;
  return {
    ...row,
    status,
    failure,
    completedAt: status === 'pending' ? null : now,
    nextWakeAt: isSet ? row.nextWakeAt : later,
  };
}
