import { activityInfo, ApplicationFailure, log } from '@temporalio/activity';
import { classifyFailure } from '../src/db/failure';
import { isTollgateError } from '../src/domain/errors';
import { abandonedError, OperationAbandonedError } from '../src/operations/abandonment-errors';
import { isDefect } from '../src/operations/command-errors';
import { refusalFailure } from '../src/temporal/refusal';

/** Number of tries of a command with an internal error. Until they are used up the subscription does nothing else. */
const TRIES = 5;

/**
 * Runs an activity's work and makes its failures safe for a history: a database error can contain the values of the
 * failed statement, and with them a customer's data. The error is logged here instead.
 */
export async function withSafeFailures<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw retryable(error);
  }
}

/**
 * Does the same for the work of a command. A refusal fails without retry, with the refusal's code as the failure type.
 * A busy or unavailable service is retried, and so is an internal error, a few times.
 *
 * @param attempt identifies the sending of the command
 */
export async function withRefusals<Result>(attempt: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof OperationAbandonedError) throw refusalFailure(abandonedError(), attempt);
    if (isTollgateError(error)) {
      // Another transaction holds the key or a lock and will release it.
      if (error.status >= 500 || error.code === 'idempotency_key_in_use') throw retryable(error);
      throw refusalFailure(error, attempt);
    }
    if (isDefect(error) && activityInfo().attempt >= TRIES) {
      log.error('a command failed for good', { error });
      throw ApplicationFailure.nonRetryable('The command failed.', 'internal_error', faultOf(attempt));
    }
    throw retryable(error);
  }
}

/** Shapes an internal error like a refusal: the caller gets a service error, and may retry with the same key. */
function faultOf(attempt: string): unknown {
  return { attempt, problem: { code: 'internal_error', detail: 'The command failed on our side.' } };
}

function retryable(error: unknown): ApplicationFailure {
  const type = isTollgateError(error) ? error.code : classifyFailure(error);
  log.warn('an activity failed and is tried again', { error });
  const failure = ApplicationFailure.retryable(`It failed (${type}), and is tried again.`, type);
  // The stack is in the log, and a history that keeps the last failure of a local activity does not need it.
  failure.stack = '';
  return failure;
}
