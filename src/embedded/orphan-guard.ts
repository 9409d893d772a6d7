import { spawn } from 'node:child_process';

/** Waits for the end of its input, which comes when the process holding the other end is gone for any reason. */
const SCRIPT = 'while read -r _; do :; done; kill "-$2" "$1" 2>/dev/null';

/**
 * Ends a server that was started in its own session if this process dies without stopping it (kill -9, an interrupted
 * test runner).
 *
 * @param pid the server
 * @param signal makes it stop cleanly
 * @returns releases the server; must be called as soon as it has ended, before its pid can be reused
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
