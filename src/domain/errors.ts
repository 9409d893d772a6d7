import { errorCatalogue, type ErrorCode } from './error-catalogue/index';

export { errorCatalogue, type ErrorCode, type ErrorDefinition } from './error-catalogue/index';

/** One invalid member of a request; `pointer` is a JSON Pointer into it (`/quantity`). */
export interface FieldProblem {
  pointer: string;
  message: string;
  fix: string;
}

/**
 * Maximum number of problems in one response. More do not help a caller, and would let an unauthenticated sender cause
 * unbounded work.
 */
export const MAX_FIELD_PROBLEMS = 20;

export interface TollgateErrorOptions {
  /** The first `MAX_FIELD_PROBLEMS` of them are kept. */
  errors?: FieldProblem[];
  /** Further members of the problem document, for example `decision` or `capability`. */
  extra?: Record<string, unknown>;
  /** Seconds, for the `Retry-After` header. */
  retryAfter?: number;
  cause?: unknown;
}

/** In the global registry, so that copies of this module (another realm, another bundle) recognize each other. */
const BRAND = Symbol.for('tollgate.error');

/** An error that a caller can act on; the HTTP layer renders it as a problem document. */
export class TollgateError extends Error {
  override readonly name = 'TollgateError';
  readonly [BRAND] = true;
  readonly code: ErrorCode;
  /** The HTTP status of the code. */
  readonly status: number;
  /** What happened this time, as a sentence that is safe to show. */
  readonly detail: string;
  readonly errors?: FieldProblem[];
  readonly extra?: Record<string, unknown>;
  readonly retryAfter?: number;

  constructor(code: ErrorCode, detail: string, options: TollgateErrorOptions = {}) {
    super(detail, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.status = errorCatalogue[code].status;
    this.detail = detail;
    if (options.errors !== undefined) this.errors = options.errors.slice(0, MAX_FIELD_PROBLEMS);
    if (options.extra !== undefined) this.extra = options.extra;
    if (options.retryAfter !== undefined) this.retryAfter = options.retryAfter;
  }
}

/** Whether the value is a TollgateError of any copy of this module; `instanceof` fails across realms. */
export function isTollgateError(e: unknown): e is TollgateError {
  return typeof e === 'object' && e !== null && BRAND in e;
}

/** Returns the `code` of an error from the operating system or a library, such as ENOENT; undefined if it has none. */
export function errorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** Returns the message of anything that was thrown. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
