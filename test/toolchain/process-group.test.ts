import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const MODULE = pathToFileURL(path.join(__dirname, '..', '..', 'scripts', 'toolchain', 'process-group.mjs'));

/** Runs a shell with a child, which both hold the standard output. */
const SCRIPT = `
  import { spawnGroup } from ${JSON.stringify(MODULE.href)};
  if (process.argv[1] === 'handler') {
    process.once('SIGTERM', () => process.exit(143));
    process.once('exit', () => { throw new Error('Removing the files failed.'); });
  }
  spawnGroup('/bin/sh', ['-c', 'sleep 3600 & echo started; wait'], { stdio: ['ignore', 'inherit', 'ignore'] });
`;

test.each(['handler', 'no handler'])(
  'a run with %s of signals ends with its program and the program’s children',
  async (handler) => {
    const run = spawn(process.execPath, ['--input-type=module', '--eval', SCRIPT, handler], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    await once(run.stdout, 'data');
    run.kill('SIGTERM');
    // The output ends with the last process that holds it.
    await once(run.stdout, 'end');
  },
);
