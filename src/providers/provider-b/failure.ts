/**
 * Why there is no usable answer. `refused`: provider B said no. `unavailable`: it could not be asked, or did not
 * answer. `unreadable`: its answer has an unknown shape.
 */
export type FailureKind = 'refused' | 'unavailable' | 'unreadable';

/** The code of a failure without a call: the connection has no client id or client secret. */
export const CREDENTIALS_MISSING = 'credentials_missing';
/** The code of every object that provider B does not have, whatever code B uses itself. */
export const NOT_FOUND = 'not_found';

/** A failed call to provider B. Holds no secret and no token. */
export class ProviderBFailure extends Error {
  override readonly name = 'ProviderBFailure';

  constructor(
    readonly kind: FailureKind,
    /** Provider B's own code (`CAPTURE_FULLY_REFUNDED`), if it gave one. */
    readonly code: string,
    /** For operators; it may name references. */
    message: string,
    readonly status?: number,
    /** Identifies the call to provider B's support. */
    readonly debugId?: string | null,
  ) {
    super(message);
  }

  /** Whether B refused the credentials or their permissions, which says nothing about the requested operation. */
  get isOfCredentials(): boolean {
    return this.status === 401 || this.status === 403 || this.code === CREDENTIALS_MISSING;
  }

  /** Whether B refused because of the subscription's status, which does not allow the operation. */
  get isOfStatus(): boolean {
    return this.kind === 'refused' && this.code === 'SUBSCRIPTION_STATUS_INVALID';
  }
}
