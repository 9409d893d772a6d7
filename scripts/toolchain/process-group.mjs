import { spawn } from 'node:child_process';

/** Leaders of the groups that run, and the signal that ends each. */
const running = new Map();

const endAll = () => running.forEach((signal, leader) => killGroup(leader, signal));
// Registered on import, so that it precedes the listeners that remove what the groups still use.
process.on('exit', endAll);

/** A signal that nothing handles ends this process without the event `exit`. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'];
function onSignal(signal) {
  endAll();
  stopListening();
  process.kill(process.pid, signal);
}
const stopListening = () => SIGNALS.forEach((signal) => process.off(signal, onSignal));

/**
 * Starts a program in a process group of its own, which ends if this process ends first: a signal to the program alone
 * would leave its children running. Signals are handled only while such a program runs, because what this process does
 * afterwards may have its own handlers.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions} options
 * @param {NodeJS.Signals} endSignal ends the group if this process ends first
 */
export function spawnGroup(command, args, options, endSignal = 'SIGTERM') {
  // Before the program starts, because a signal may come as soon as it runs.
  if (running.size === 0) SIGNALS.forEach((signal) => process.on(signal, onSignal));
  const leader = spawn(command, args, { ...options, detached: true });
  running.set(leader, endSignal);
  const ended = () => {
    running.delete(leader);
    if (running.size === 0) stopListening();
  };
  leader.once('close', ended).once('error', ended);
  return leader;
}

/** Sends a signal to a program of {@link spawnGroup} and its children. */
export function killGroup({ pid }, signal) {
  try {
    process.kill(-pid, signal);
  } catch {
    // It has ended, or never started.
  }
}
