import { isGrpcServiceError } from '@temporalio/client';

const DEADLINE_EXCEEDED = 4;
const UNAVAILABLE = 14;
/** Too many commands wait for one workflow, or the server takes no more calls at the moment. */
export const RESOURCE_EXHAUSTED = 8;

/** The gRPC status code behind a client's failure, which may stand some causes down. */
export function grpcCodeOf(error: unknown): number | undefined {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (isGrpcServiceError(at)) return at.code;
  }
  return undefined;
}

/** True when nobody answered: the call may be repeated as it was once Temporal is back. */
export function isTemporalAway(error: unknown): boolean {
  const code = grpcCodeOf(error);
  return code === UNAVAILABLE || code === DEADLINE_EXCEEDED;
}
