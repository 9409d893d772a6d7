import { execFileSync } from 'node:child_process';

/** Returns Prometheus's checker of rules; undefined if this machine has none. */
export function findPromtool(): string | undefined {
  const configured = process.env['PROMTOOL_PATH'];
  if (configured !== undefined) return configured;
  try {
    return execFileSync('sh', ['-c', 'command -v promtool'], { encoding: 'utf8' }).trim();
  } catch {
    return undefined;
  }
}
