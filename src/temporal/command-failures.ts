import {
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
} from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { TollgateError } from '../domain/errors';
import { tooManyCommands } from './command-queues';
import {
  CANCELLED,
  DEADLINE_EXCEEDED,
  grpcStatusOf,
  isAbortedUpdate,
  isUnknownAttribute,
  resourceExhaustionOf,
  UNAUTHENTICATED,
  UNAVAILABLE,
} from './grpc-errors';
import { refusalOf, rootCauseOf } from './refusal';

/** NOT_FOUND, FAILED_PRECONDITION and ABORTED: the run ended as the call arrived; the next run accepts it. */
const RUN_ENDED = new Set([5, 9, 10]);
/** Failure types by which the server reports that nothing was done. */
const NOT_BEGUN: ReadonlySet<unknown> = new Set([
  // The run completed with the update accepted.
  'AcceptedUpdateCompletedWorkflow',
  // The worker received the task again without the update.
  'UnprocessedUpdate',
]);

/** What to do after sending a command has failed. */
export type CommandFailure =
  /** Nothing was decided: send the same update again. */
  | { kind: 'again' }
  /** Temporal returned the stored refusal of an earlier attempt. */
  | { kind: 'refused_before' }
  /** It may have been accepted; the result is not known yet. */
  | { kind: 'pending' }
  /** Throw the error to the caller. */
  | { kind: 'failed'; error: unknown };

/** @param attempt the id of the failed attempt */
export function classifyCommandFailure(error: unknown, attempt: string): CommandFailure {
  if (error instanceof WorkflowUpdateFailedError) {
    const root = rootCauseOf(error);
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
  if (status === undefined) return { kind: 'failed', error };
  const { code } = status;
  const exhaustion = resourceExhaustionOf(status);
  if (exhaustion === 'queue_full') return { kind: 'failed', error: tooManyCommands(error) };
  if (exhaustion === 'busy') return { kind: 'again' };
  if (RUN_ENDED.has(code)) return { kind: 'again' };
  if (code === DEADLINE_EXCEEDED || code === CANCELLED) return { kind: 'pending' };
  if (isAbortedUpdate(status)) return { kind: 'again' };
  if (code === UNAVAILABLE) return { kind: 'failed', error: temporalUnavailable(error, NOT_REACHED) };
  if (code === UNAUTHENTICATED) return { kind: 'failed', error: temporalUnavailable(error, NOT_ADMITTED) };
  if (isUnknownAttribute(status)) return { kind: 'failed', error: temporalUnavailable(error, NOT_READY) };
  return { kind: 'failed', error };
}

const NOT_REACHED = 'Temporal, which runs commands, cannot be reached.';
const NOT_ADMITTED = 'Temporal, which runs commands, refuses the credentials of this service.';
/** The worker registers them at startup and checks once a minute. */
const NOT_READY =
  'Temporal, which runs commands, does not have the search attributes that its workflows need.';

/**
 * Builds the error for a connection that was refused or lost, perhaps after the command was accepted, and for a
 * Temporal that does not accept our credentials or cannot start workflows yet.
 */
function temporalUnavailable(cause: unknown, detail: string): TollgateError {
  return new TollgateError('temporal_unavailable', detail, { retryAfter: 5, cause });
}
