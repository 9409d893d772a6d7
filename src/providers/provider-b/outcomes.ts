import type { Outcome } from '../outcome';
import type { Sending } from '../provider-operations';
import { CREDENTIALS_MISSING, ProviderBFailure } from './failure';
import { wordsOf } from './refusal-words';

/**
 * What provider B says of something that is. A refusal is final, except one of the credentials: that says nothing of
 * what was asked for, and ends when they are put right.
 */
export function asked<T>(ask: () => Promise<T>): Promise<Outcome<T>> {
  return settled('open', () => done(ask));
}

/** The same for what nobody waits for: a refusal of the credentials is told, too. */
export function answered<T>(ask: () => Promise<T>): Promise<Outcome<T>> {
  return settled('final', () => done(ask));
}

/**
 * Asks provider B to do something. What was refused for its credentials was not done, and is final, unless it may have
 * been done by an earlier sending.
 */
export function sent<T>(sending: Sending, send: () => Promise<Outcome<T>>): Promise<Outcome<T>> {
  return settled(sending.repeated ? 'open' : 'final', send);
}

/** What is so after something was done: a failure to learn it, of whatever kind, does not undo it. */
export async function afterwards<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    const { code, message, status, debugId } = failureOf(error);
    throw new ProviderBFailure('unavailable', code, message, status, debugId);
  }
}

/** Provider B's failure. @throws what is none */
export function failureOf(error: unknown): ProviderBFailure {
  if (error instanceof ProviderBFailure) return error;
  throw error;
}

async function done<T>(ask: () => Promise<T>): Promise<Outcome<T>> {
  return { kind: 'done', value: await ask() };
}

async function settled<T>(
  credentials: 'final' | 'open',
  ask: () => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  try {
    return await ask();
  } catch (error) {
    const failure = failureOf(error);
    const final = failure.kind === 'refused' && (credentials === 'final' || !failure.isOfCredentials);
    return final
      ? { kind: 'declined', code: codeOf(failure), reason: wordsOf(failure) }
      : { kind: 'unknown', reason: failure.message };
  }
}

function codeOf({ code, status, isOfCredentials }: ProviderBFailure): string {
  if (code === CREDENTIALS_MISSING) return 'connection_incomplete';
  if (!isOfCredentials) return code;
  return status === 403 ? 'not_permitted' : 'authentication_failed';
}
