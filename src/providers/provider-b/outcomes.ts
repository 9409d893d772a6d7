import type { Outcome } from '../outcome';
import type { Sending } from '../provider-operations';
import { CREDENTIALS_MISSING, ProviderBFailure } from './failure';
import { refusalReason } from './refusal';

/**
 * Returns the outcome of a call that changes nothing at provider B. A refusal is `declined`, except a refusal of the
 * credentials: that says nothing about the object and no longer applies once they are corrected, so it is `unknown`.
 */
export function readOutcome<T>(ask: () => Promise<T>): Promise<Outcome<T>> {
  return outcomeOf('open', () => done(ask));
}

/** Same as `readOutcome`, for reads that are not retried: a refusal of the credentials is also `declined`. */
export function finalReadOutcome<T>(ask: () => Promise<T>): Promise<Outcome<T>> {
  return outcomeOf('final', () => done(ask));
}

/**
 * Returns the outcome of an operation that changes something at provider B. A refusal of the credentials means that
 * nothing was done, so it is `declined`, unless an earlier attempt may have succeeded.
 */
export function writeOutcome<T>(
  { repeated }: Pick<Sending, 'repeated'>,
  send: () => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  return outcomeOf(repeated ? 'open' : 'final', send);
}

/** Reads the state after a write. A failed read does not undo the write, so every failure is `unavailable`. */
export async function readAfterWrite<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    const { code, message, status, debugId } = failureOf(error);
    throw new ProviderBFailure('unavailable', code, message, status, debugId);
  }
}

/** Returns the error as a failure of provider B. @throws any other error */
export function failureOf(error: unknown): ProviderBFailure {
  if (error instanceof ProviderBFailure) return error;
  throw error;
}

async function done<T>(ask: () => Promise<T>): Promise<Outcome<T>> {
  return { kind: 'done', value: await ask() };
}

async function outcomeOf<T>(
  credentials: 'final' | 'open',
  ask: () => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  try {
    return await ask();
  } catch (error) {
    const failure = failureOf(error);
    const { message: reason, isOfCredentials } = failure;
    if (failure.kind !== 'refused') return { kind: 'unknown', reason };
    if (isOfCredentials && credentials === 'open')
      return { kind: 'unknown', reason, credentialsRefused: true };
    return { kind: 'declined', code: codeOf(failure), reason: refusalReason(failure) };
  }
}

function codeOf({ code, status, isOfCredentials }: ProviderBFailure): string {
  if (code === CREDENTIALS_MISSING) return 'connection_incomplete';
  if (!isOfCredentials) return code;
  return status === 403 ? 'not_permitted' : 'authentication_failed';
}
