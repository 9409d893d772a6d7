import type { Config } from '../config/config';
import { ConfigurationError } from '../config/configuration-error';
import type { TemporalAddress } from '../temporal/client';

/**
 * The address of Temporal, for a process that cannot run without it.
 *
 * @throws ConfigurationError when it is not configured
 */
export function temporalAddress(config: Config<'TEMPORAL_ADDRESS' | 'TEMPORAL_NAMESPACE'>): TemporalAddress {
  const { TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace } = config;
  if (address === undefined) {
    throw new ConfigurationError('The configuration is not complete:\n  TEMPORAL_ADDRESS is not set');
  }
  return { address, namespace };
}
