import {
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
} from '@temporalio/client';
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import { NOT_ACCEPTED } from '../../workflows/messages';
import { tooManyCommands } from './command-queues';
import {
  CANCELLED,
  DEADLINE_EXCEEDED,
  grpcStatusOf,
  isAbortedUpdate,
  resourceExhaustionOf,
} from './grpc-errors';
import { refusalOf, rootCauseOf } from './refusal';
import { unavailabilityOf } from './unavailable';

/** NOT_FOUND, FAILED_PRECONDITION and ABORTED: the run ended as the call arrived; the next run accepts it. */
const RUN_ENDED = new Set([5, 9, 10]);
/** Failure types by which the server reports that nothing was done. */
const NOT_BEGUN: ReadonlySet<unknown> = new Set([
  // The run completed with the update accepted.
  'AcceptedUpdateCompletedWorkflow',
  // The worker received the task again without the update, or the run is too long to accept it.
  NOT_ACCEPTED,
]);

/** What Temporal runs, in the words of an error. */
const WORK = 'commands';

/** What to do after sending a command has failed. */
export type CommandFailure =
  /** Nothing was decided: send the same update again. */
  | { kind: 'again' }
  /** Temporal returned the stored refusal of an earlier attempt: send another update. */
  | { kind: 'refused_before' }
  /**
   * The run was cancelled, and nothing was decided. Temporal stores that as the update's outcome and returns it until
   * the next run, so send another update.
   */
  | { kind: 'cancelled' }
  /** It may have been accepted; the result is not known yet. */
  | { kind: 'pending' }
  /** Throw the error to the caller. */
  | { kind: 'failed'; error: unknown };

/** @param attempt the id of the failed attempt */
export function classifyCommandFailure(error: unknown, attempt: string): CommandFailure {
  if (error instanceof WorkflowUpdateFailedError) {
    const root = rootCauseOf(error);
    // An operator has cancelled the run. The row says what had begun, and the next run continues from there.
    if (root instanceof CancelledFailure) return { kind: 'cancelled' };
    if (root instanceof ApplicationFailure && NOT_BEGUN.has(root.type)) return { kind: 'again' };
    const refusal = refusalOf(error);
    if (refusal === undefined) return { kind: 'failed', error };
    return refusal.attempt === attempt
      ? { kind: 'failed', error: refusal.error }
      : { kind: 'refused_before' };
  }
  if (error instanceof WorkflowUpdateRPCTimeoutOrCancelledError) return { kind: 'pending' };
  if (error instanceof WorkflowNotFoundError) return { kind: 'again' };
  const status = grpcStatusOf(error);
  if (status === undefined) return { kind: 'failed', error: unavailabilityOf(error, WORK) ?? error };
  const { code } = status;
  const exhaustion = resourceExhaustionOf(status);
  if (exhaustion === 'queue_full') return { kind: 'failed', error: tooManyCommands(error) };
  if (exhaustion !== undefined) return { kind: 'again' };
  if (RUN_ENDED.has(code)) return { kind: 'again' };
  if (code === DEADLINE_EXCEEDED || code === CANCELLED) return { kind: 'pending' };
  if (isAbortedUpdate(status)) return { kind: 'again' };
  return { kind: 'failed', error: unavailabilityOf(error, WORK) ?? error };
}
