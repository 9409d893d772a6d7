import { once } from 'node:events';
import { mkdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { makeMemoryDirectory } from './memory-directory.mjs';
import { spawnGroup } from './process-group.mjs';
import { inProject } from './project.mjs';

const RESULT = inProject('node_modules', '.cache', 'tollgate', 'jest.json');

export const jestArguments = (passed) => ['--ci', '--json', `--outputFile=${RESULT}`, ...passed];

/** Runs Jest on our terminal, its temporary files in memory where that has room; its JSON goes to a file. */
export async function runJest(args, environment) {
  await mkdir(path.dirname(RESULT), { recursive: true });
  await rm(RESULT, { force: true });
  const memory = await makeMemoryDirectory();
  const env = memory === undefined ? environment : { ...environment, TMPDIR: memory };
  const jest = spawnGroup(inProject('node_modules', '.bin', 'jest'), args, {
    cwd: inProject(),
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = await once(jest, 'close');
  const result = JSON.parse(await readFile(RESULT, 'utf8').catch(() => '{}'));
  return { ok: code === 0 && result.success === true, output: failed(result), result };
}

function failed(result) {
  const messages = (result.testResults ?? [])
    .filter(({ status }) => status === 'failed')
    .map(({ message }) => message);
  return messages.length > 0
    ? messages.join('\n')
    : 'Jest ended without a result; its own output above says why.';
}

/** A test file that could not be run at all counts as one failed test. */
export function readJestResult({
  numPassedTests = 0,
  numFailedTests = 0,
  numRuntimeErrorTestSuites = 0,
  success,
}) {
  const broken = success === undefined ? 1 : numRuntimeErrorTestSuites;
  return `tests: ${numPassedTests} passed, ${numFailedTests + broken} failed`;
}
