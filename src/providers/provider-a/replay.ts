import Stripe from 'stripe';

const REPLAYED = 'idempotent-replayed';

/**
 * Returns whether the provider repeated its first answer to the key without doing anything; the answer may be stale.
 * The provider keeps each answer for a day, including refusals and its own failures.
 */
export function isReplay(answer: { lastResponse: { headers: Record<string, string> } }): boolean {
  return answer.lastResponse.headers[REPLAYED] === 'true';
}

/** Returns whether the key's final answer is the provider's own failure, so that nothing is in progress any longer. */
export function isReplayedFailure(error: unknown): boolean {
  return (
    error instanceof Stripe.errors.StripeError &&
    (error.statusCode ?? 0) >= 500 &&
    error.headers?.[REPLAYED] === 'true'
  );
}

/**
 * Returns whether the provider refuses a key because it first came with other parameters. The earlier request has been
 * answered, and the current parameters were not read. A key that is currently in use is a different error.
 */
export function isKeyOfOther(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeIdempotencyError && error.statusCode === 400;
}
