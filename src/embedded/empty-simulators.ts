import { rm } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { runningProcesses } from './data-directory';
import { simulatorsState } from './simulators';

/**
 * Makes the supervisor of a running installation restart the simulated providers without their state: empty, at the
 * time of the sandbox that is furthest ahead, with the demo's accounts.
 *
 * @param ended ends the wait with its reason
 * @throws Error if they are not running
 */
export async function emptySimulators(dataDirectory: string, ended: AbortSignal): Promise<void> {
  const pid = (await runningProcesses(dataDirectory))?.get('simulators');
  if (pid === undefined) throw new Error('The simulated providers do not run.');
  // Once suspended, the process stores nothing more before it is killed.
  process.kill(pid, 'SIGSTOP');
  await rm(simulatorsState(dataDirectory), { force: true });
  process.kill(pid, 'SIGKILL');
  for (;;) {
    ended.throwIfAborted();
    const now = (await runningProcesses(dataDirectory))?.get('simulators');
    if (now !== undefined && now !== pid) return;
    await pause(100);
  }
}
