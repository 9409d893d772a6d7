import { rm } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { runningProcesses } from './data-directory';
import { simulatorsState } from './simulators';

/**
 * Has the supervisor of a running installation start the simulated providers again without their state: empty, at the
 * time of the sandbox that is furthest ahead, with the accounts of the demo.
 *
 * @param ended ends the waiting with its reason
 * @throws Error when they do not run
 */
export async function emptySimulators(dataDirectory: string, ended: AbortSignal): Promise<void> {
  const pid = (await runningProcesses(dataDirectory))?.get('simulators');
  if (pid === undefined) throw new Error('The simulated providers do not run.');
  // A process that is held stores nothing more before it is killed.
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
