/**
 * Programs that some tests use where Debian has them: promtool checks the alert rules, and PgBouncer is the pooler that
 * the service is tried behind. Their packages are unpacked into the cache; nothing is installed, and no service starts.
 *
 *   node scripts/toolchain/debian-programs.mjs promtool|pgbouncer     prints the path of the program
 */
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { install, installed } from './cache.mjs';
import { CommandFailed, onPath, run } from './commands.mjs';
import { obtain } from './obtain.mjs';
import { progress } from './progress.mjs';
import { main } from './project.mjs';
import { planDebianProgram } from './sources.mjs';

/** `alone`: the program needs none of its package's libraries. */
const PROGRAMS = {
  promtool: { variable: 'PROMTOOL_PATH', package: 'prometheus', file: 'usr/bin/promtool', alone: true },
  pgbouncer: { variable: 'PGBOUNCER_PATH', package: 'pgbouncer', file: 'usr/sbin/pgbouncer', alone: false },
};

/** What one step may take (seconds); both lists and packages come within a few. */
const STEP_SECONDS = 25;

/**
 * The path of the program: its variable's, the PATH's, the cache's, or one from Debian's package.
 *
 * @param program 'promtool' or 'pgbouncer'
 * @throws Unavailable with one sentence
 */
export async function ensureDebianProgram(program, env = process.env) {
  const tool = { program, ...PROGRAMS[program] };
  const directory = `${program}-debian-${process.platform}-${process.arch}`;
  const there = {
    given: env[tool.variable] || undefined,
    onPath: await onPath(program),
    cached: await installed(directory, program),
    apt: (await onPath('apt-get')) !== undefined && (await onPath('dpkg-deb')) !== undefined,
  };
  return obtain(planDebianProgram(there, tool), {
    debian: () =>
      progress(`Getting ${program} from Debian (once, a few seconds)`, () =>
        install(directory, program, (into) => unpack(tool, into, env)),
      ),
  });
}

async function unpack(tool, directory, env) {
  const downloads = path.join(directory, 'downloads');
  await mkdir(downloads);
  await download(tool, downloads, env);
  for (const file of await readdir(downloads)) {
    const root = path.join(directory, 'root');
    await run('dpkg-deb', ['--extract', path.join(downloads, file), root], { env, seconds: STEP_SECONDS });
  }
  await rm(downloads, { recursive: true });
  await writeFile(path.join(directory, tool.program), launcher(tool.file), { mode: 0o755 });
  await run(path.join(directory, tool.program), ['--version'], { env, seconds: STEP_SECONDS });
}

/** A fresh container has no lists of packages; root may get them. */
async function download(tool, directory, env) {
  const apt = (...args) => run('apt-get', args, { env, cwd: directory, seconds: STEP_SECONDS });
  const packages = async () => [
    tool.package,
    ...(tool.alone ? [] : await missingLibraries(tool.package, apt)),
  ];
  try {
    await apt('download', ...(await packages()));
  } catch (error) {
    if (!(error instanceof CommandFailed) || process.getuid?.() !== 0) throw error;
    await apt('-qq', 'update');
    await apt('download', ...(await packages()));
  }
}

/** The libraries that an installation would add. What it would upgrade (`[old]`) is there already. */
async function missingLibraries(name, apt) {
  const plan = await apt('--simulate', '--no-install-recommends', 'install', name);
  return [...plan.matchAll(/^Inst (lib\S+) \(/gm)].map(([, library]) => library);
}

/** The package's own libraries come first; the directory may be anywhere. */
const launcher = (file) => `#!/bin/sh
root="$(dirname "$0")/root"
for libraries in "$root"/usr/lib/*-linux-gnu*; do LD_LIBRARY_PATH="$libraries\${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"; done
export LD_LIBRARY_PATH
exec "$root/${file}" "$@"
`;

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  await main(async () => {
    const program = process.argv[2] ?? '';
    if (!(program in PROGRAMS)) throw new Error(`Name one of ${Object.keys(PROGRAMS).join(', ')}.`);
    process.stdout.write(`${await ensureDebianProgram(program)}\n`);
  });
}
