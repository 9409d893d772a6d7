/**
 * Why there is no usable answer. `refused`: provider B said no. `unavailable`: it could not be asked, or did not say.
 * `unreadable`: it answered something of an unknown shape.
 */
export type FailureKind = 'refused' | 'unavailable' | 'unreadable';

/** The code of a failure without a call: the connection has no client id or client secret. */
export const CREDENTIALS_MISSING = 'credentials_missing';
/** The code of everything that provider B does not know, whatever it calls that. */
export const NOT_FOUND = 'not_found';

/** A call to provider B that came to nothing. Holds no secret and no token. */
export class ProviderBFailure extends Error {
  override readonly name = 'ProviderBFailure';

  constructor(
    readonly kind: FailureKind,
    /** Provider B's own code (`CAPTURE_FULLY_REFUNDED`), where it gave one. */
    readonly code: string,
    /** For operators; it may name references. */
    message: string,
    readonly status?: number,
    /** Names the call to provider B's support. */
    readonly debugId?: string | null,
  ) {
    super(message);
  }

  /** Whether B refused the credentials or what they may do, which says nothing of what was asked for. */
  get isOfCredentials(): boolean {
    return this.status === 401 || this.status === 403 || this.code === CREDENTIALS_MISSING;
  }
}
