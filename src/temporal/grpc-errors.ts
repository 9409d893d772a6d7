import { isGrpcServiceError } from '@temporalio/client';

const DEADLINE_EXCEEDED = 4;
const UNAVAILABLE = 14;
const RESOURCE_EXHAUSTED = 8;
/** The server's words for its limit of updates that wait for one workflow. */
const QUEUE_FULL = 'in-flight updates has been reached';

/** A gRPC status, as the client's interceptors and its errors have it. */
interface GrpcStatus {
  code: number;
  message?: string;
  details?: string;
  metadata?: { get(key: string): (string | Buffer)[] } | null;
}

/** What became of a call for which the server has no room. */
type ResourceExhaustion =
  /** As many commands as Temporal lets wait for one workflow wait already. */
  | 'queue_full'
  /** The workflow is locked or has just begun, or a rate is reached: it passes in a moment. */
  | 'busy';

/**
 * Why a call was turned away with RESOURCE_EXHAUSTED; undefined for any other status. The reason of an
 * update-with-start stands in the status's encoded details, as plain text among them.
 */
export function resourceExhaustionOf({
  code,
  message,
  details,
  metadata,
}: GrpcStatus): ResourceExhaustion | undefined {
  if (code !== RESOURCE_EXHAUSTED) return undefined;
  const encoded = metadata?.get('grpc-status-details-bin') ?? [];
  const words = [message ?? '', details ?? '', ...encoded.map((part) => part.toString())];
  return words.some((text) => text.includes(QUEUE_FULL)) ? 'queue_full' : 'busy';
}

/** The gRPC status behind a client's failure, which may stand some causes down. */
export function grpcStatusOf(error: unknown): GrpcStatus | undefined {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (isGrpcServiceError(at)) return at;
  }
  return undefined;
}

/** The gRPC status code behind a client's failure. */
export function grpcCodeOf(error: unknown): number | undefined {
  return grpcStatusOf(error)?.code;
}

/** True when nobody answered: the call may be repeated as it was once Temporal is back. */
export function isTemporalUnavailable(error: unknown): boolean {
  const code = grpcCodeOf(error);
  return code === UNAVAILABLE || code === DEADLINE_EXCEEDED;
}
