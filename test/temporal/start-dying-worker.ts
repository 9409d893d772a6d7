import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { until } from '../support/until';

const ROOT = path.join(__dirname, '..', '..');

/** Starts one of this folder's dying workers in a separate process. Resolves once it is working. */
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

/**
 * Starts a worker that never records the providers' answers, calls `send`, and kills the worker when all `providers`
 * have answered.
 *
 * @returns the answers to `send`, which another worker may have to give
 */
export async function killWhenAnswered<Answers>(
  at: { temporal: string; database: string; simulators: { a: string; b: string; c: string } },
  providers: readonly string[],
  send: () => Promise<Answers>,
): Promise<{ answers: Promise<Answers> }> {
  const { a, b, c } = at.simulators;
  const child = await startDyingWorker('dying-provider-worker', [at.temporal, at.database, a, b, c]);
  const died = once(child, 'exit');
  try {
    let said = '';
    child.stdout.on('data', (part: Buffer) => (said += part.toString()));
    const answers = send();
    await until(() => providers.every((provider) => said.includes(`${provider} has answered`)));
    return { answers };
  } finally {
    child.kill('SIGKILL');
    await died;
  }
}
