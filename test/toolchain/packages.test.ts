import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

const ROOT = path.join(__dirname, '..', '..');

/** A checkout without packages, and an npm that ends only when it is done, as npm does while it writes packages. */
let folder: string;
let pipe: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tollgate-packages-'));
  pipe = path.join(folder, 'pipe');
  execFileSync('/bin/sh', ['-c', 'mkfifo "$0"', pipe]);
  await cp(path.join(ROOT, 'scripts'), path.join(folder, 'scripts'), { recursive: true });
  for (const file of ['package.json', 'package-lock.json'])
    await cp(path.join(ROOT, file), path.join(folder, file));
  await mkdir(path.join(folder, 'bin'));
  const npm = path.join(folder, 'bin', 'npm');
  await writeFile(
    npm,
    `#!/bin/sh\ntrap '' INT TERM HUP\nexec 3> '${pipe}'\necho installing >&3\nsleep 3600 & wait\n`,
  );
  await chmod(npm, 0o755);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test.each(['SIGINT', 'SIGTERM'] as const)(
  '%s to a start that installs packages leaves no npm behind, beside which the next start would run its own',
  async (signal) => {
    const { PATH = '' } = process.env;
    const start = spawn(process.execPath, [path.join(folder, 'scripts', 'start.mjs')], {
      env: {
        PATH: `${path.join(folder, 'bin')}:${PATH}`,
        TOLLGATE_CACHE_DIR: path.join(folder, 'cache'),
        TEMPORAL_ADDRESS: '127.0.0.1:1',
      },
      stdio: 'ignore',
    });
    const ended = once(start, 'exit');
    // The pipe ends with the last process that holds it.
    const installing = createReadStream(pipe, 'utf8');
    expect(await once(installing, 'data')).toEqual(['installing\n']);
    start.kill(signal);
    await once(installing.resume(), 'end');
    expect(await ended).toEqual([null, signal]);
  },
);
