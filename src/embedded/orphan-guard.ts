import { spawn } from 'node:child_process';

/** Waits for the end of its input, which comes when the process that holds the other end is gone, however it went. */
const SCRIPT = 'while read -r _; do :; done; kill "-$2" "$1" 2>/dev/null';

/**
 * Ends a server that was started in a session of its own when this process dies without stopping it (kill -9, a
 * test runner that was interrupted).
 *
 * @param pid the server
 * @param signal what makes it stop cleanly
 * @returns lets the server go; to be called as soon as it has ended, before its number can be given to another
 */
export function guardAgainstOrphan(pid: number, signal: 'INT' | 'TERM'): () => void {
  const guard = spawn('/bin/sh', ['-c', SCRIPT, 'sh', String(pid), signal], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  guard.on('error', () => undefined);
  guard.stdin.on('error', () => undefined);
  guard.unref();
  return () => {
    guard.kill('SIGKILL');
  };
}
