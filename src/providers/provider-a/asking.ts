import Stripe from 'stripe';
import { ZodError } from 'zod';
import type { Outcome } from '../outcome';
import { IncompleteConnectionError } from './client';

/**
 * Asks the provider something that changes nothing there. What is refused is `declined` with the provider's code; what
 * could not be had, or is not what it should be, is `unknown`. Reasons name the provider's request, for its support.
 *
 * @param ask undefined when the answer cannot be told in our words
 */
export async function asking<T>(ask: () => Promise<T | undefined>): Promise<Outcome<T>> {
  try {
    const value = await ask();
    if (value !== undefined) return { kind: 'done', value };
    return { kind: 'unknown', reason: 'Provider A answered with a currency or an amount that is not known.' };
  } catch (error) {
    return outcomeOfFailure(error);
  }
}

/** Why the provider refused, in words that hold no secret. */
export function reasonOf(error: unknown): string {
  if (error instanceof IncompleteConnectionError) return error.message;
  if (error instanceof Stripe.errors.StripeAuthenticationError) {
    return 'Provider A does not accept the secret key.';
  }
  if (error instanceof Stripe.errors.StripeConnectionError) return 'Provider A could not be reached.';
  if (error instanceof Stripe.errors.StripeError) {
    const { requestId, statusCode } = error;
    const request = requestId === undefined ? '' : ` (request ${requestId})`;
    return `Provider A answered ${statusCode ?? 'no status'}: ${error.code ?? error.type}${request}.`;
  }
  if (error instanceof ZodError || error instanceof RangeError) {
    return 'Provider A answered with an object that is not what it should be.';
  }
  throw error;
}

function outcomeOfFailure(error: unknown): Outcome<never> {
  const reason = reasonOf(error);
  if (error instanceof IncompleteConnectionError)
    return { kind: 'declined', code: 'connection_incomplete', reason };
  if (error instanceof Stripe.errors.StripeAuthenticationError) {
    return { kind: 'declined', code: 'authentication_failed', reason };
  }
  const refused =
    error instanceof Stripe.errors.StripeInvalidRequestError ||
    error instanceof Stripe.errors.StripePermissionError;
  return refused
    ? { kind: 'declined', code: error.code ?? 'invalid_request', reason }
    : { kind: 'unknown', reason };
}
