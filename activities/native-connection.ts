import { rootCertificates } from 'node:tls';
import { NativeConnection } from '@temporalio/worker';
import { connectionOptions, type TemporalEndpoint } from '../src/temporal/client';

/**
 * Opens the worker's own connection. It uses the system's certificate authorities, which small images (`node:…-slim`)
 * lack; it then falls back to Node's, as the client of the same process does.
 *
 * @throws Error if Temporal cannot be reached
 */
export async function connectNatively(temporal: TemporalEndpoint): Promise<NativeConnection> {
  const options = connectionOptions(temporal);
  try {
    return await NativeConnection.connect(options);
  } catch (error) {
    if (!String(error).includes('NativeCertsNotFound')) throw error;
    const serverRootCACertificate = Buffer.from(rootCertificates.join('\n'));
    return NativeConnection.connect({ ...options, tls: { ...tlsOf(options), serverRootCACertificate } });
  }
}

/** Returns the TLS options; an API key alone also enables TLS. */
function tlsOf({ tls }: Pick<TemporalEndpoint, 'tls'>): object {
  return typeof tls === 'object' ? tls : {};
}
