import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const MODULE = pathToFileURL(path.join(__dirname, '..', '..', 'scripts', 'toolchain', 'process-group.mjs'));

/** Runs a shell with a child, which both hold the standard output. */
const SCRIPT = `
  import { spawnGroup } from ${JSON.stringify(MODULE.href)};
  const [, how] = process.argv;
  if (how === 'a handler of signals') {
    process.once('SIGTERM', () => process.exit(143));
    process.once('exit', () => { throw new Error('Removing the files failed.'); });
  }
  const ignores = how === 'a program that ignores signals';
  const script = (ignores ? "trap '' INT TERM HUP; " : '') + 'sleep 3600 & echo started; wait';
  const options = { stdio: ['ignore', 'inherit', 'ignore'] };
  spawnGroup('/bin/sh', ['-c', script], options, ignores ? 'SIGKILL' : undefined);
`;

test.each(['a handler of signals', 'no handler of signals', 'a program that ignores signals'])(
  'a run with %s ends with its program and the program’s children',
  async (how) => {
    const run = spawn(process.execPath, ['--input-type=module', '--eval', SCRIPT, how], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    await once(run.stdout, 'data');
    run.kill('SIGTERM');
    // The output ends with the last process that holds it.
    await once(run.stdout, 'end');
  },
);
