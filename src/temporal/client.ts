import { Client, Connection, defaultGrpcRetryOptions, makeGrpcRetryInterceptor } from '@temporalio/client';
import { resourceExhaustionOf } from './grpc-errors';

/** The address of a Temporal server. */
export interface TemporalAddress {
  /** host:port */
  address: string;
  namespace: string;
}

/** The deadline of one call to Temporal. */
export const CALL_TIMEOUT_MS = 5_000;

/**
 * A client that connects with its first call. It tries a call three times within half a second and then fails, because
 * its callers have their own ways to wait. The caller closes its `connection`.
 */
export function createTemporalClient({ address, namespace }: TemporalAddress): Client {
  const { retryableDecider, ...usual } = defaultGrpcRetryOptions({ maxAttempts: 3 });
  const retries = makeGrpcRetryInterceptor({
    ...usual,
    // A full update queue does not empty within the deadline, so that failure is returned at once.
    retryableDecider: (attempt, status) =>
      resourceExhaustionOf(status) !== 'queue_full' && retryableDecider(attempt, status),
  });
  const connection = Connection.lazy({
    address,
    interceptors: [retries],
    // gRPC's default reconnect backoff grows to two minutes, which is too long after an outage.
    channelArgs: { 'grpc.initial_reconnect_backoff_ms': 100, 'grpc.max_reconnect_backoff_ms': 2_000 },
  });
  return new Client({ connection, namespace });
}
