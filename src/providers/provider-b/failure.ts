import type { Outcome } from '../outcome';

/**
 * Why there is no usable answer. `refused`: provider B said no. `unavailable`: it could not be asked, or did not say.
 * `unreadable`: it answered something of an unknown shape.
 */
export type FailureKind = 'refused' | 'unavailable' | 'unreadable';

/** The code of a failure for which nobody was asked, because the connection has no client id or client secret. */
export const CREDENTIALS_MISSING = 'credentials_missing';

/** A call to provider B that came to nothing. Holds no secret and no token. */
export class ProviderBFailure extends Error {
  override readonly name = 'ProviderBFailure';

  constructor(
    readonly kind: FailureKind,
    /** Provider B's own code (`RESOURCE_NOT_FOUND`), where it gave one. */
    readonly code: string,
    message: string,
    readonly status?: number,
  ) {
    super(message);
  }
}

/**
 * The failure as the outcome of asking for something. A refusal is final, except one of the credentials: that says
 * nothing of what was asked for, and ends when they are put right.
 */
export function outcomeOfFailure(error: unknown): Outcome<never> {
  if (!(error instanceof ProviderBFailure)) throw error;
  const ofCredentials = error.status === 401 || error.status === 403 || error.code === CREDENTIALS_MISSING;
  return error.kind === 'refused' && !ofCredentials
    ? { kind: 'declined', code: error.code, reason: error.message }
    : { kind: 'unknown', reason: error.message };
}
