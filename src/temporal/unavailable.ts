import { TollgateError } from '../domain/errors';
import {
  grpcStatusOf,
  isNamespaceMissing,
  isNotAdmitted,
  isTemporalUnavailable,
  isUnknownAttribute,
} from './grpc-errors';

/** Whether Temporal cannot serve this service, as opposed to one call. */
export function isOutage(error: unknown): boolean {
  return isTemporalUnavailable(error) || isNotAdmitted(error) || isNamespaceMissing(error);
}

/**
 * Returns the error for a Temporal that cannot serve this service; undefined if the failure means something else. A
 * connection may have been lost after the call was accepted.
 *
 * @param work what Temporal runs: `commands`
 */
export function unavailabilityOf(error: unknown, work: string): TollgateError | undefined {
  const why = reasonOf(error);
  if (why === undefined) return undefined;
  const detail = `Temporal, which runs ${work}, ${why}.`;
  return new TollgateError('temporal_unavailable', detail, { retryAfter: 5, cause: error });
}

function reasonOf(error: unknown): string | undefined {
  if (isTemporalUnavailable(error)) return 'cannot be reached';
  if (isNotAdmitted(error)) return 'refuses the credentials of this service';
  if (isNamespaceMissing(error)) return 'does not have the namespace of this service';
  const status = grpcStatusOf(error);
  // The worker registers them at startup and checks once a minute.
  if (status !== undefined && isUnknownAttribute(status))
    return 'does not have the search attributes that its workflows need';
  return undefined;
}
