import { activityInfo, ApplicationFailure, log } from '@temporalio/activity';
import { classifyFailure } from '../src/db/failure';
import { isTollgateError } from '../src/domain/errors';
import { abandonedError, OperationAbandonedError } from '../src/operations/abandonment-errors';
import { isDefect } from '../src/operations/command-errors';
import { refusalFailure } from '../src/temporal/refusal';

/** A fault of ours in a command is given so many tries: until then the subscription does nothing else. */
const TRIES = 5;

/**
 * Runs an activity's work, and gives its failures the form in which they may stand in a history: what a database says
 * can hold the values of the statement that failed, and with them a customer's data. It is logged here instead.
 */
export async function withSafeFailures<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw retryable(error);
  }
}

/**
 * The same for the work of a command, which can be refused: with the refusal's code as the failure's type, and not to
 * be tried again. What is busy or away is tried again, and so is a fault of ours, a few times.
 *
 * @param attempt the sending of the command
 */
export async function withRefusals<Result>(attempt: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof OperationAbandonedError) throw refusalFailure(abandonedError(), attempt);
    if (isTollgateError(error)) {
      // Another transaction holds the key or a lock, and releases it.
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

/** In the form of a refusal: the caller gets an error of the service, and may retry with the same key. */
function faultOf(attempt: string): unknown {
  return { attempt, problem: { code: 'internal_error', detail: 'The command failed on our side.' } };
}

function retryable(error: unknown): ApplicationFailure {
  const type = isTollgateError(error) ? error.code : classifyFailure(error);
  log.warn('an activity failed and is tried again', { error });
  const failure = ApplicationFailure.retryable(`It failed (${type}), and is tried again.`, type);
  // It stands in the log, and a history that keeps the last failure of a local activity has no use for it.
  failure.stack = '';
  return failure;
}
