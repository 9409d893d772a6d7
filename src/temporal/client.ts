import { Client, Connection, defaultGrpcRetryOptions, makeGrpcRetryInterceptor } from '@temporalio/client';
import { resourceExhaustionOf } from './grpc-errors';

/** Where Temporal is. */
export interface TemporalAddress {
  /** host:port */
  address: string;
  namespace: string;
}

/** How long one call to Temporal may take (milliseconds). */
export const CALL_TIMEOUT_MS = 5_000;

/**
 * A client that connects with its first call. It tries a call three times in half a second and then says that
 * Temporal is away, because whoever calls has a better way to wait. Close its `connection` in the end.
 */
export function createTemporalClient({ address, namespace }: TemporalAddress): Client {
  const { retryableDecider, ...usual } = defaultGrpcRetryOptions({ maxAttempts: 3 });
  const retries = makeGrpcRetryInterceptor({
    ...usual,
    // Who would wait in a queue that is full is told so, and not kept until the deadline.
    retryableDecider: (attempt, status) =>
      resourceExhaustionOf(status) !== 'queue_full' && retryableDecider(attempt, status),
  });
  const connection = Connection.lazy({
    address,
    interceptors: [retries],
    // gRPC's own pause between two attempts to connect grows to two minutes: far too long after an outage.
    channelArgs: { 'grpc.initial_reconnect_backoff_ms': 100, 'grpc.max_reconnect_backoff_ms': 2_000 },
  });
  return new Client({ connection, namespace });
}
