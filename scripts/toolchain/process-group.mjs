import { spawn } from 'node:child_process';

/**
 * Starts a program in a process group of its own, all of which is ended if this process exits first. A signal to the
 * program alone would leave its children running.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions} options
 */
export function spawnGroup(command, args, options) {
  const leader = spawn(command, args, { ...options, detached: true });
  const end = () => {
    try {
      process.kill(-leader.pid, 'SIGTERM');
    } catch {
      // It has ended, or never began.
    }
  };
  // Before the listeners that remove what the group still uses.
  process.prependOnceListener('exit', end);
  leader.once('close', () => process.off('exit', end));
  return leader;
}
