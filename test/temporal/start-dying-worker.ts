import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { Readable } from 'node:stream';

const ROOT = path.join(__dirname, '..', '..');

/** One of this folder's workers that do not live long, in a process of its own, once it is at work. */
export async function startDyingWorker(
  name: 'dying-worker' | 'dying-provider-worker',
  args: readonly string[],
): Promise<ChildProcess & { stdout: Readable }> {
  const child = spawn(
    process.execPath,
    ['-r', path.join(ROOT, 'test', 'support', 'typescript.cjs'), path.join(__dirname, `${name}.ts`), ...args],
    { cwd: ROOT, stdio: ['ignore', 'pipe', 'ignore'] },
  );
  await once(child.stdout, 'data');
  return child;
}
