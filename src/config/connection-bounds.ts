import type { BoundsByMode } from '../providers/connection-limits';
import { readSetting } from './read-config';

/**
 * Reads a deployment's limits on what one connection may request from its provider in one process, by the connection's
 * mode. Settings that are not set keep their default (`limitConnections`).
 *
 * @throws ConfigurationError that names the variable
 */
export function readConnectionBounds(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): BoundsByMode {
  const atOnce = readSetting('TOLLGATE_PROVIDER_CALLS_AT_ONCE', environment);
  const waiting = readSetting('TOLLGATE_PROVIDER_CALLS_WAITING', environment);
  const seconds = readSetting('TOLLGATE_PROVIDER_CALLS_LONGEST_WAIT_SECONDS', environment);
  const timeout = readSetting('TOLLGATE_PROVIDER_CALLS_TIMEOUT_SECONDS', environment);
  const sandbox = readSetting('TOLLGATE_PROVIDER_CALLS_A_SECOND_SANDBOX', environment);
  const live = readSetting('TOLLGATE_PROVIDER_CALLS_A_SECOND_LIVE', environment);
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
