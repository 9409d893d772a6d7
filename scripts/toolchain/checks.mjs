import { CommandFailed, run } from './commands.mjs';
import { ensureBuild } from './compile.mjs';
import { ensurePages } from './pages.mjs';
import { exists, inProject, Unavailable } from './project.mjs';

/** A program of the packages, run in the project; gives what it printed. */
export const tool = (name, ...args) =>
  run(inProject('node_modules', '.bin', name), args, {
    cwd: inProject(),
    env: { ...process.env, NO_COLOR: '1' },
  });

/** TypeScript 7 by its path: version 6, which other tools build on, has a program of the same name. */
const tsc = (project) =>
  run(inProject('node_modules', 'typescript-7', 'bin', 'tsc'), ['-p', project], { cwd: inProject() });

/** With the project's own rules (scripts/lint-rules.mjs); passes over files that no rule is for. */
export const lint = (...files) =>
  tool(
    'oxlint',
    '--type-aware',
    '--report-unused-disable-directives',
    '--deny-warnings',
    '--no-error-on-unmatched-pattern',
    ...files,
  );

async function existing(...names) {
  const found = await Promise.all(names.map((name) => exists(inProject(name))));
  return names.filter((_, index) => found[index]);
}

/** The static checks and the build, in their order. `run` throws CommandFailed or Unavailable when it does not pass. */
export const checks = [
  { name: 'format', title: 'format', run: () => tool('oxfmt', '--list-different') },
  {
    name: 'lint',
    title: 'lint',
    run: () => lint('.'),
  },
  {
    name: 'types',
    title: 'types',
    run: async () => {
      for (const project of await existing(
        'tsconfig.json',
        'workflows/tsconfig.json',
        'console/tsconfig.json',
        'portal/tsconfig.json',
      ))
        await tsc(project);
    },
  },
  {
    name: 'boundaries',
    title: 'boundaries',
    run: async () =>
      tool(
        'depcruise',
        ...(await existing('src', 'activities', 'workflows', 'simulators', 'test', 'bench', 'endurance')),
      ),
  },
  { name: 'dead-code', title: 'dead code', run: () => tool('knip') },
  {
    name: 'build',
    title: 'build',
    run: async () => {
      await ensureBuild();
      await ensurePages();
    },
  },
];

export async function runCheck(check) {
  try {
    const output = await check();
    return { ok: true, output: typeof output === 'string' ? output : '' };
  } catch (error) {
    if (error instanceof CommandFailed) return { ok: false, output: error.output || error.message };
    if (error instanceof Unavailable) return { ok: false, output: error.message };
    throw error;
  }
}
