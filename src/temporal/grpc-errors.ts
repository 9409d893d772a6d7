import { isGrpcServiceError } from '@temporalio/client';
import { NamespaceNotFoundError } from '@temporalio/common';

/** Returned by a server whose deadline passed before ours: it resets the stream, and gRPC reports the reset. */
export const CANCELLED = 1;
export const INVALID_ARGUMENT = 3;
export const DEADLINE_EXCEEDED = 4;
export const NOT_FOUND = 5;
export const ALREADY_EXISTS = 6;
const PERMISSION_DENIED = 7;
const RESOURCE_EXHAUSTED = 8;
const UNIMPLEMENTED = 12;
const UNAVAILABLE = 14;
const UNAUTHENTICATED = 16;
/** Part of the server's message about its limit of updates in flight. */
const QUEUE_FULL = 'in-flight updates has been reached';
/** Part of the server's message about an update that arrived while its run continues as new or completes. */
const RUN_ENDING = 'workflow is closing';

/** The server's message after it dropped an update because of another one that it could not accept. */
const ABORTED_UPDATE = 'workflow update was aborted';

/**
 * Part of the server's messages about a search attribute that is not registered, such as "search attribute X is not
 * defined".
 */
const ABOUT_SEARCH_ATTRIBUTE = 'search attribute';

/** A gRPC status, as carried by interceptors and errors. */
interface GrpcStatus {
  code: number;
  message?: string;
  details?: string;
  metadata?: { get(key: string): (string | Buffer)[] } | null;
}

/** Why the server answered RESOURCE_EXHAUSTED. */
type ResourceExhaustion =
  /** The workflow has its maximum of updates in flight. */
  | 'queue_full'
  /** The run is ending; the next run accepts the call at once. */
  | 'run_ending'
  /** The workflow is locked or has just started, or a rate limit is reached; a short wait helps. */
  | 'busy';

/**
 * Returns why a call failed with RESOURCE_EXHAUSTED; undefined for any other status. For an update-with-start the
 * reason is plain text within the status's encoded details.
 */
export function resourceExhaustionOf(status: GrpcStatus): ResourceExhaustion | undefined {
  if (status.code !== RESOURCE_EXHAUSTED) return undefined;
  if (mentions(status, QUEUE_FULL)) return 'queue_full';
  return mentions(status, RUN_ENDING) ? 'run_ending' : 'busy';
}

/**
 * Returns how long to wait before a failed call is tried again (milliseconds). A rate limit needs a second; anything else
 * has passed by then, and a caller waits.
 */
export function retryIntervalOf(status: GrpcStatus): number {
  return resourceExhaustionOf(status) === 'busy' ? 1_000 : 100;
}

/**
 * Returns whether the server dropped an update before it was in the history: nothing was done, and it may be sent
 * again.
 */
export function isAbortedUpdate(status: GrpcStatus): boolean {
  return status.code === UNAVAILABLE && mentions(status, ABORTED_UPDATE);
}

/** Returns whether a workflow could not be started because our search attributes are not registered in Temporal. */
export function isUnknownAttribute(status: GrpcStatus): boolean {
  return status.code === INVALID_ARGUMENT && mentions(status, ABOUT_SEARCH_ATTRIBUTE);
}

function mentions({ message, details, metadata }: GrpcStatus, words: string): boolean {
  const encoded = metadata?.get('grpc-status-details-bin') ?? [];
  return [message ?? '', details ?? '', ...encoded.map((part) => part.toString())].some((text) =>
    text.includes(words),
  );
}

/** Returns the gRPC status in an error's chain of causes. */
export function grpcStatusOf(error: unknown): GrpcStatus | undefined {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (isGrpcServiceError(at)) return at;
  }
  return undefined;
}

/** Returns the gRPC status code in an error's chain of causes. */
export function grpcCodeOf(error: unknown): number | undefined {
  return grpcStatusOf(error)?.code;
}

/** Returns whether Temporal did not answer, so that the same call can be repeated later. */
export function isTemporalUnavailable(error: unknown): boolean {
  const code = grpcCodeOf(error);
  return code === UNAVAILABLE || code === DEADLINE_EXCEEDED || code === CANCELLED;
}

/**
 * Returns whether Temporal refuses these credentials. Temporal Cloud answers UNAUTHENTICATED to an API key that has
 * expired, and a server with its own authorizer PERMISSION_DENIED to a token that has.
 */
export function isNotAdmitted(error: unknown): boolean {
  const code = grpcCodeOf(error);
  return code === UNAUTHENTICATED || code === PERMISSION_DENIED;
}

/** Returns whether the client's namespace does not exist. The SDK reports it without the gRPC status. */
export function isNamespaceMissing(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at instanceof NamespaceNotFoundError) return true;
  }
  return false;
}

/** Returns whether Temporal is too busy for this call. */
export function isTemporalBusy(error: unknown): boolean {
  return grpcCodeOf(error) === RESOURCE_EXHAUSTED;
}

/** Returns whether the server refuses the call with these credentials, or does not offer it. */
export function isNotPermitted(error: unknown): boolean {
  const code = grpcCodeOf(error);
  return code === PERMISSION_DENIED || code === UNIMPLEMENTED;
}
