import Stripe from 'stripe';
import { ZodError } from 'zod';
import type { Outcome } from '../outcome';
import { IncompleteConnectionError } from './client';
import { lackedPermission, refusalOf } from './refusal';

const UNKNOWN_MONEY = 'Provider A answered with a currency or an amount that is not known.';

/**
 * Returns the outcome of a call that changes nothing at the provider: `declined` if refused, `unknown` if it fails or
 * the response cannot be read.
 *
 * @param ask undefined when the response has no equivalent here
 */
export function readOutcome<T>(ask: () => Promise<T | undefined>): Promise<Outcome<T>> {
  return writeOutcome(async () => {
    const value = await ask();
    return value === undefined ? { kind: 'unknown', reason: UNKNOWN_MONEY } : { kind: 'done', value };
  });
}

/**
 * Returns the outcome of an operation of one or more calls: that of its first failure, if any. `declined` only if the
 * provider refused, in which case the refused call has changed nothing.
 */
export async function writeOutcome<T>(work: () => Promise<Outcome<T>>): Promise<Outcome<T>> {
  try {
    return await work();
  } catch (error) {
    return outcomeOfFailure(error);
  }
}

/** Returns why the provider refused or did not respond, for an operator; contains no secret. */
export function reasonOf(error: unknown): string {
  if (error instanceof IncompleteConnectionError) return error.message;
  if (error instanceof Stripe.errors.StripeAuthenticationError) {
    return 'Provider A does not accept the secret key.';
  }
  if (error instanceof Stripe.errors.StripeConnectionError) return 'Provider A could not be reached.';
  if (error instanceof Stripe.errors.StripeError) {
    const { requestId, statusCode } = error;
    const request = requestId === undefined ? '' : ` (request ${requestId})`;
    const permission = lackedPermission(error);
    if (permission !== undefined) return `The secret key lacks the permission ${permission}${request}.`;
    return `Provider A answered ${statusCode ?? 'no status'}: ${error.code ?? error.type}${request}.`;
  }
  if (error instanceof ZodError || error instanceof RangeError) {
    return 'Provider A answered with an object that is not what it should be.';
  }
  throw error;
}

function outcomeOfFailure(error: unknown): Outcome<never> {
  if (error instanceof IncompleteConnectionError) {
    return { kind: 'declined', code: 'connection_incomplete', reason: reasonOf(error) };
  }
  if (error instanceof Stripe.errors.StripeAuthenticationError) {
    return { kind: 'declined', code: 'authentication_failed', reason: reasonOf(error) };
  }
  return refusalOf(error) ?? { kind: 'unknown', reason: reasonOf(error) };
}
