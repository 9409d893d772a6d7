import { CommandFailed, run } from './commands.mjs';
import { Unavailable } from './project.mjs';

/** The branch that a change is made against, where the clone has it. */
const UPSTREAM = 'origin/main';

/**
 * What a working tree has changed since it left the main branch: committed, uncommitted and untracked files.
 *
 * @param directory of the checkout; the paths are relative to it
 * @returns `removed` has the old paths of files that are gone or renamed
 * @throws Unavailable without Git, or outside a clone
 */
export async function changesIn(directory) {
  const git = async (...args) => lines(await run('git', args, { cwd: directory, seconds: 60 }));
  await git('rev-parse', '--git-dir').catch((error) => {
    if (!(error instanceof CommandFailed)) throw error;
    throw new Unavailable(
      `${error.lastLine}\nWhat has changed is found with Git, in a clone. Everything is checked by npm test.`,
    );
  });
  const [base] = await git('merge-base', 'HEAD', UPSTREAM).catch((error) => {
    if (error instanceof CommandFailed) return ['HEAD'];
    throw error;
  });
  const diff = ['diff', '-z', '--name-only', '--no-renames', '--relative'];
  const [present, removed, untracked] = await Promise.all([
    git(...diff, '--diff-filter=d', base),
    git(...diff, '--diff-filter=D', base),
    git('ls-files', '-z', '--others', '--exclude-standard'),
  ]);
  return { present: [...new Set([...present, ...untracked])].sort(), removed: removed.sort() };
}

const lines = (output) => output.split(/[\0\n]/).filter((line) => line !== '');

const CODE = /\.([cm]?[jt]s|tsx)$/;

/**
 * What to check for these changes.
 *
 * @returns `format` and `lint` as files; `related` as the files whose pure tests are due
 */
export function planCheck({ present, removed }) {
  const code = present.filter((file) => CODE.test(file));
  // The tests of the pages read them, and every path that they name.
  const pages = present.some((file) => file.endsWith('.md')) || removed.length > 0;
  return {
    format: present,
    lint: code,
    types: code.length > 0 || removed.length > 0,
    boundaries: code.length > 0 || removed.length > 0,
    related: [...code, ...(pages ? ['test/docs/map.test.ts'] : [])],
  };
}
