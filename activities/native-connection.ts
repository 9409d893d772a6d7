import { rootCertificates } from 'node:tls';
import { NativeConnection } from '@temporalio/worker';
import { connectionOptions, type TemporalEndpoint } from '../src/temporal/client';

/**
 * The worker's own connection. It looks for the authorities of the system, of which small images (`node:…-slim`) have
 * none; it then goes by those of Node, as the client of the same process does.
 *
 * @throws Error when Temporal cannot be reached
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

/** An API key alone turns TLS on, too. */
function tlsOf({ tls }: Pick<TemporalEndpoint, 'tls'>): object {
  return typeof tls === 'object' ? tls : {};
}
