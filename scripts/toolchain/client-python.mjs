/**
 * A Python that has `openapi-python-client` and what the clients it writes need, for the test of generated clients:
 *
 *   node scripts/toolchain/client-python.mjs     prints the path of the program
 */
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { install, installed } from './cache.mjs';
import { run } from './commands.mjs';
import { obtain } from './obtain.mjs';
import { progress } from './progress.mjs';
import { main } from './project.mjs';
import { planClientPython } from './sources.mjs';

const REQUIREMENTS = fileURLToPath(new URL('client-python.txt', import.meta.url));
const FILE = 'python';

/**
 * The path of the program, which takes Python's arguments.
 *
 * @throws Unavailable with one sentence
 */
export async function ensureClientPython(env = process.env) {
  const configured = env.CLIENT_PYTHON_PATH || undefined;
  const found = configured === undefined ? await pythonOf(env) : undefined;
  const tool = found && (await toolName(found.version));
  const cached = tool && (await installed(tool, FILE));
  const make = (how) =>
    progress('Getting openapi-python-client (once, a few seconds)', () =>
      install(tool, FILE, async (directory) => {
        await how(directory, env);
        await writeFile(path.join(directory, FILE), LAUNCHER, { mode: 0o755 });
        await run(path.join(directory, FILE), ['-m', 'openapi_python_client', '--version'], {
          env,
          seconds: 60,
        });
      }),
    );
  return obtain(planClientPython({ configured, cached, ...found }), {
    pip: () => make((directory) => withPip('python3', directory, env)),
    venv: () => make((directory) => withVenv(directory, env)),
  });
}

/** The version of the Python on the PATH, and which of its own installers it has. */
async function pythonOf(env) {
  const code = `import importlib.util as u, sys
print('%d.%d' % sys.version_info[:2], *(name for name in ('pip', 'ensurepip') if u.find_spec(name)))`;
  const answer = await run('python3', ['-c', code], { env, seconds: 30 }).catch(() => undefined);
  if (answer === undefined) return undefined;
  const [version, ...has] = answer.trim().split(' ');
  return { version, pip: has.includes('pip'), venv: has.includes('ensurepip') };
}

/** Of other requirements or another Python it is another tool: some packages are compiled for one version. */
async function toolName(version) {
  const hash = createHash('sha256')
    .update(await readFile(REQUIREMENTS))
    .digest('hex')
    .slice(0, 12);
  return `client-python-${hash}-py${version}-${process.platform}-${process.arch}`;
}

/** Into a directory that can be moved, which a virtual environment cannot. */
const withPip = (python, directory, env) =>
  run(
    python,
    [
      ...['-m', 'pip', 'install', '--quiet', '--no-deps', '--no-compile', '--disable-pip-version-check'],
      ...['--target', path.join(directory, 'lib'), '--requirement', REQUIREMENTS],
    ],
    { env, seconds: 600 },
  );

/** Where Python comes without pip, a virtual environment brings one. */
async function withVenv(directory, env) {
  const venv = await mkdtemp(path.join(directory, 'venv-'));
  await run('python3', ['-m', 'venv', venv], { env, seconds: 120 });
  await withPip(path.join(venv, 'bin', 'python'), directory, env);
  await rm(venv, { recursive: true });
}

const LAUNCHER = `#!/bin/sh
PYTHONPATH="$(dirname "$0")/lib" PYTHONDONTWRITEBYTECODE=1 exec python3 "$@"
`;

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  await main(async () => {
    process.stdout.write(`${await ensureClientPython()}\n`);
  });
}
