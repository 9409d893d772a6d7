import Stripe from 'stripe';

const REPLAYED = 'idempotent-replayed';

/**
 * Whether the provider gave the first answer to the key once more, without doing anything: what it says may be old.
 * The provider keeps each answer for a day, refusals and its own failures included.
 */
export function isReplay(answer: { lastResponse: { headers: Record<string, string> } }): boolean {
  return answer.lastResponse.headers[REPLAYED] === 'true';
}

/** Whether the provider's own failure is what the key was answered with for good: nothing is under way any more. */
export function isReplayedFailure(error: unknown): boolean {
  return (
    error instanceof Stripe.errors.StripeError &&
    (error.statusCode ?? 0) >= 500 &&
    error.headers?.[REPLAYED] === 'true'
  );
}

/**
 * Whether the provider refuses a key because it came with other parameters first: what was sent under it then has been
 * answered, and these parameters were not looked at. A key that is in use this moment is another thing.
 */
export function isKeyOfOther(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeIdempotencyError && error.statusCode === 400;
}
