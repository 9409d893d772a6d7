import { Client, Connection, defaultGrpcRetryOptions, makeGrpcRetryInterceptor } from '@temporalio/client';
import type { TLSConfig } from '@temporalio/common/lib/internal-non-workflow';
import type { Clock } from '../clock/system-clock';
import { omitUndefined } from '../schemas/omit-undefined';
import { resourceExhaustionOf, retryIntervalOf } from './grpc-errors';

/** Address of a Temporal server, and the client's credentials. */
export interface TemporalEndpoint {
  /** host:port */
  address: string;
  namespace: string;
  /**
   * True uses the system's certificate authorities and sends no client certificate; left out, the connection is not
   * encrypted.
   */
  tls?: TLSConfig | boolean;
  /** Sent with every call. */
  apiKey?: string;
  /** Further headers of every call. */
  metadata?: Record<string, string>;
}

/**
 * Connects directly, as workers do. By default gRPC would use the proxy that `https_proxy`, `http_proxy` or
 * `grpc_proxy` names, even for this machine.
 */
export const WITHOUT_PROXY = { 'grpc.enable_http_proxy': 0 } as const;

/** The deadline of one call to Temporal. */
export const CALL_TIMEOUT_MS = 5_000;

/**
 * Creates a client that connects on its first call. It tries a call three times within half a second, or within five
 * seconds if Temporal is busy, and then fails, because its callers have their own ways to wait. The caller closes its
 * `connection`.
 */
export function createTemporalClient(endpoint: TemporalEndpoint): Client {
  const { retryableDecider, ...usual } = defaultGrpcRetryOptions({
    maxAttempts: 3,
    initialIntervalMs: retryIntervalOf,
  });
  const retries = makeGrpcRetryInterceptor({
    ...usual,
    // A full update queue does not drain within the deadline, so that failure is returned at once.
    retryableDecider: (attempt, status) =>
      resourceExhaustionOf(status) !== 'queue_full' && retryableDecider(attempt, status),
  });
  const connection = Connection.lazy({
    ...connectionOptions(endpoint),
    interceptors: [retries],
    // gRPC's default reconnect backoff grows to two minutes, which is too long after an outage.
    channelArgs: {
      ...WITHOUT_PROXY,
      'grpc.initial_reconnect_backoff_ms': 100,
      'grpc.max_reconnect_backoff_ms': 2_000,
    },
  });
  return new Client({ connection, namespace: endpoint.namespace });
}

/**
 * Resolves if Temporal answers this client, with its certificate and key.
 *
 * @throws Error otherwise
 */
export async function pingTemporal(client: Client, clock: Clock): Promise<void> {
  await client.withDeadline(clock.now() + CALL_TIMEOUT_MS, () => client.workflowService.getSystemInfo({}));
}

/** Returns the options shared by a client's and a worker's connection. */
export function connectionOptions(endpoint: TemporalEndpoint): Omit<TemporalEndpoint, 'namespace'> {
  const { address, tls, apiKey, metadata } = endpoint;
  return { address, ...omitUndefined({ tls, apiKey, metadata }) };
}
