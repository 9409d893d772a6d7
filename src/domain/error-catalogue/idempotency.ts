import type { ErrorDefinition } from './definition';

/** Errors of idempotency keys, which keep a repeated request from taking effect twice. */
export const idempotencyErrors = {
  idempotency_key_required: {
    status: 400,
    title: 'The request needs an idempotency key.',
    fix: 'Send an `Idempotency-Key` header (for an event of a batch, its `idempotencyKey`) with a value of your own for this operation, and repeat it on a retry.',
  },
  idempotency_key_invalid: {
    status: 400,
    title: 'The idempotency key is malformed.',
    fix: 'Send one `Idempotency-Key` header of 1 to 255 printable ASCII characters.',
  },
  idempotency_key_reused: {
    status: 422,
    title: 'The idempotency key was used for another request.',
    fix: 'Use a new key for a new request, and the same body when you retry.',
  },
  idempotency_key_in_use: {
    status: 409,
    title: 'The first request with this idempotency key is still running.',
    fix: 'Wait for the seconds in `Retry-After` and send the same request again.',
  },
} as const satisfies Record<string, ErrorDefinition>;
