import { BLOCKED_PORTS } from '../domain/blocked-ports';
import { assertPortFree } from './free-port';

/** A port that a process will listen on. */
export interface WantedPort {
  /** The variable that sets it. */
  variable: string;
  port: number;
  /** The server that needs it, as in "wanted for the console". */
  what: string;
  /** Whether browsers or `fetch` connect to it. */
  isHttp?: boolean;
}

/** Two variables have the same port, or one has no usable port. */
export class PortSettingError extends Error {
  override name = 'PortSettingError';
}

/**
 * Checks every port before anything is started, so that a conflict leaves nothing half running.
 *
 * @throws PortTakenError, PortForbiddenError or PortSettingError, naming the port and the variable
 */
export async function assertPortsFree(wanted: readonly WantedPort[]): Promise<void> {
  const seen = new Map<number, string>();
  for (const { variable, port, isHttp = false } of wanted) {
    const other = seen.get(port);
    if (port === 0) throw new PortSettingError(`${variable} is 0: choose a port from 1 to 65535.`);
    if (isHttp && BLOCKED_PORTS.includes(port))
      throw new PortSettingError(`${variable} is ${port}, which browsers block: choose another port.`);
    if (other !== undefined)
      throw new PortSettingError(`${other} and ${variable} both are ${port}: choose two ports.`);
    seen.set(port, variable);
  }
  for (const { variable, port, what } of wanted) {
    await assertPortFree(port, what, `set ${variable} to another port`);
  }
}
