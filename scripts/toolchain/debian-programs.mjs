/**
 * Programs that some tests use where Debian has them: promtool checks the alert rules, PgBouncer is the pooler that the
 * service is tried behind, and Chromium opens the console. Their packages are unpacked into the cache; nothing is
 * installed, and no service starts.
 *
 *   node scripts/toolchain/debian-programs.mjs promtool|pgbouncer|chromium-headless-shell     prints the path of the program
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

/** `alone`: the program needs none of its package's libraries. `seconds`: what one step may take. */
const PROGRAMS = {
  promtool: {
    variable: 'PROMTOOL_PATH',
    package: 'prometheus',
    file: 'usr/bin/promtool',
    alone: true,
    seconds: 25,
  },
  pgbouncer: {
    variable: 'PGBOUNCER_PATH',
    package: 'pgbouncer',
    file: 'usr/sbin/pgbouncer',
    alone: false,
    seconds: 25,
  },
  // Chromium without windows: it draws the same pages for a third less CPU.
  'chromium-headless-shell': {
    variable: 'CHROMIUM_PATH',
    package: 'chromium-headless-shell',
    file: 'usr/lib/chromium/chromium-headless-shell',
    alone: false,
    also: ['chromium-common', 'fontconfig-config', 'fonts-dejavu-core'],
    otherNames: ['chromium', 'chromium-browser', 'google-chrome'],
    seconds: 240,
  },
};

/**
 * The path of the program: its variable's, the PATH's, the cache's, or one from Debian's package.
 *
 * @param program 'promtool', 'pgbouncer' or 'chromium-headless-shell'
 * @throws Unavailable with one sentence
 */
export async function ensureDebianProgram(program, env = process.env) {
  const tool = { program, ...PROGRAMS[program] };
  const directory = `${program}-debian-${process.platform}-${process.arch}`;
  const there = {
    configured: env[tool.variable] || undefined,
    onPath: await firstOnPath([program, ...(tool.otherNames ?? [])]),
    cached: await installed(directory, program),
    apt: (await onPath('apt-get')) !== undefined && (await onPath('dpkg-deb')) !== undefined,
  };
  return obtain(planDebianProgram(there, tool), {
    debian: () =>
      progress(
        `Getting ${program} from Debian (once, ${tool.seconds < 60 ? 'a few seconds' : 'about a minute'})`,
        () => install(directory, program, (into) => unpack(tool, into, env)),
      ),
  });
}

async function firstOnPath(names) {
  for (const name of names) {
    const found = await onPath(name);
    if (found !== undefined) return found;
  }
  return undefined;
}

async function unpack(tool, directory, env) {
  const downloads = path.join(directory, 'downloads');
  await mkdir(downloads);
  await download(tool, downloads, env);
  for (const file of await readdir(downloads)) {
    const root = path.join(directory, 'root');
    await run('dpkg-deb', ['--extract', path.join(downloads, file), root], { env, seconds: tool.seconds });
  }
  await rm(downloads, { recursive: true });
  await writeFile(path.join(directory, tool.program), launcher(tool.file), { mode: 0o755 });
  await run(path.join(directory, tool.program), ['--version'], { env, seconds: tool.seconds });
}

/** A fresh container has no lists of packages; root may get them. */
async function download(tool, directory, env) {
  const apt = (...args) => run('apt-get', args, { env, cwd: directory, seconds: tool.seconds });
  const packages = async () => [
    tool.package,
    ...(tool.also ?? []),
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
for libraries in "$root"/usr/lib/*-linux-gnu* "$root"/usr/lib/*-linux-gnu*/pulseaudio; do LD_LIBRARY_PATH="$libraries\${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"; done
export LD_LIBRARY_PATH
if [ ! -e /etc/fonts/fonts.conf ] && [ -d "$root/etc/fonts" ]; then
  export FONTCONFIG_PATH="$root/etc/fonts" FONTCONFIG_SYSROOT="$root"
fi
exec "$root/${file}" "$@"
`;

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  await main(async () => {
    const program = process.argv[2] ?? '';
    if (!(program in PROGRAMS)) throw new Error(`Name one of ${Object.keys(PROGRAMS).join(', ')}.`);
    process.stdout.write(`${await ensureDebianProgram(program)}\n`);
  });
}
