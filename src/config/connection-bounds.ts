import type { BoundsByMode } from '../providers/connection-limits';
import { readConfig } from './read-config';

/**
 * Reads a deployment's limits on what one connection may request from its provider in one process, by the connection's
 * mode. Settings that are not set keep their default (`limitConnections`).
 *
 * @throws ConfigurationError that names each invalid variable
 */
export function readConnectionBounds(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): BoundsByMode {
  const {
    TOLLGATE_PROVIDER_CALLS_AT_ONCE: atOnce,
    TOLLGATE_PROVIDER_CALLS_WAITING: waiting,
    TOLLGATE_PROVIDER_CALLS_LONGEST_WAIT_SECONDS: seconds,
    TOLLGATE_PROVIDER_CALLS_TIMEOUT_SECONDS: timeout,
    TOLLGATE_PROVIDER_CALLS_A_SECOND_SANDBOX: sandbox,
    TOLLGATE_PROVIDER_CALLS_A_SECOND_LIVE: live,
  } = readConfig(
    [
      'TOLLGATE_PROVIDER_CALLS_AT_ONCE',
      'TOLLGATE_PROVIDER_CALLS_WAITING',
      'TOLLGATE_PROVIDER_CALLS_LONGEST_WAIT_SECONDS',
      'TOLLGATE_PROVIDER_CALLS_TIMEOUT_SECONDS',
      'TOLLGATE_PROVIDER_CALLS_A_SECOND_SANDBOX',
      'TOLLGATE_PROVIDER_CALLS_A_SECOND_LIVE',
    ],
    environment,
  );
  const both = {
    ...(atOnce !== undefined && { atOnce }),
    ...(waiting !== undefined && { waiting }),
    ...(seconds !== undefined && { longestWaitMs: seconds * 1_000 }),
    ...(timeout !== undefined && { timeoutMs: timeout * 1_000 }),
  };
  return {
    sandbox: { ...both, ...(sandbox !== undefined && { aSecond: sandbox }) },
    live: { ...both, ...(live !== undefined && { aSecond: live }) },
  };
}
