import { Client, Connection, defaultGrpcRetryOptions, makeGrpcRetryInterceptor } from '@temporalio/client';
import type { TLSConfig } from '@temporalio/common/lib/internal-non-workflow';
import type { Clock } from '../clock/system-clock';
import { omitUndefined } from '../schemas/omit-undefined';
import { resourceExhaustionOf } from './grpc-errors';

/** Where a Temporal server is, and what a client shows it. */
export interface TemporalEndpoint {
  /** host:port */
  address: string;
  namespace: string;
  /** True takes the system's authorities and shows no certificate; left out, the connection is not encrypted. */
  tls?: TLSConfig | boolean;
  /** Sent with every call. */
  apiKey?: string;
  /** Further headers of every call. */
  metadata?: Record<string, string>;
}

/** The deadline of one call to Temporal. */
export const CALL_TIMEOUT_MS = 5_000;

/**
 * A client that connects with its first call. It tries a call three times within half a second and then fails, because
 * its callers have their own ways to wait. The caller closes its `connection`.
 */
export function createTemporalClient(endpoint: TemporalEndpoint): Client {
  const { retryableDecider, ...usual } = defaultGrpcRetryOptions({ maxAttempts: 3 });
  const retries = makeGrpcRetryInterceptor({
    ...usual,
    // A full update queue does not empty within the deadline, so that failure is returned at once.
    retryableDecider: (attempt, status) =>
      resourceExhaustionOf(status) !== 'queue_full' && retryableDecider(attempt, status),
  });
  const connection = Connection.lazy({
    ...connectionOptions(endpoint),
    interceptors: [retries],
    // gRPC's default reconnect backoff grows to two minutes, which is too long after an outage.
    channelArgs: { 'grpc.initial_reconnect_backoff_ms': 100, 'grpc.max_reconnect_backoff_ms': 2_000 },
  });
  return new Client({ connection, namespace: endpoint.namespace });
}

/**
 * Resolves when Temporal answers this client, with its certificate and its key.
 *
 * @throws Error otherwise
 */
export async function pingTemporal(client: Client, clock: Clock): Promise<void> {
  await client.withDeadline(clock.now() + CALL_TIMEOUT_MS, () => client.workflowService.getSystemInfo({}));
}

/** What a client's and a worker's connection have in common. */
export function connectionOptions(endpoint: TemporalEndpoint): Omit<TemporalEndpoint, 'namespace'> {
  const { address, tls, apiKey, metadata } = endpoint;
  return { address, ...omitUndefined({ tls, apiKey, metadata }) };
}
