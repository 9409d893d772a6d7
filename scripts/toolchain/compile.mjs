import { createHash } from 'node:crypto';
import { cp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { withLock } from './cache.mjs';
import { CommandFailed, run } from './commands.mjs';
import { progress } from './progress.mjs';
import { checkout, exists, inProject, Unavailable } from './project.mjs';

const FOLDERS = ['src', 'activities', 'workflows', 'simulators'];
const SETTINGS = ['tsconfig.json', 'tsconfig.build.json', 'package-lock.json'];

/** Brings dist/ up to date with the sources; takes milliseconds when nothing has changed. */
export async function ensureBuild() {
  const bundle = inProject('dist', 'src', 'main', 'bundle-workflows.js');
  await compile({
    project: 'tsconfig.build.json',
    output: inProject('dist'),
    folders: FOLDERS,
    finish: () => tool([bundle]),
  });
}

/**
 * Types are not checked here (`noCheck`): `npm run check` and the gate do that, and a start need not wait for it.
 *
 * @param options.project a TypeScript project file whose output directory is `output`
 * @param options.folders the sources; their SQL files are copied beside the compiled code
 * @param options.finish a last step, with the compiled code in place
 */
export async function compile({ project, output, folders, finish }) {
  const stamp = path.join(output, '.built-from');
  if ((await readFile(stamp, 'utf8').catch(() => '')) === (await describe(project, folders)).text) return;
  await withLock(`${path.basename(project)}-${checkout}`, async () => {
    const before = (await readFile(stamp, 'utf8').catch(() => '')).split('\n');
    const { text, files } = await describe(project, folders);
    if (before.join('\n') === text) return;
    // What was compiled from a file that is gone would still be found, and a migration that is gone would still run.
    const now = new Set(files);
    if (before.slice(1).some((file) => !now.has(file))) await rm(output, { recursive: true, force: true });
    await progress('Compiling', async () => {
      await tool([inProject('node_modules', 'typescript', 'bin', 'tsc'), '-p', project]);
      for (const file of files.filter((name) => name.endsWith('.sql'))) {
        await cp(inProject(file), path.join(output, file));
      }
      await finish?.();
    });
    await writeFile(stamp, text);
  });
}

/** A hash over names, sizes and times of everything that goes in, and the list of names. */
async function describe(project, folders) {
  const files = (await Promise.all(folders.map(filesUnder))).flat().sort();
  const hash = createHash('sha256');
  for (const file of [...files, project, ...SETTINGS]) {
    const { size, mtimeMs } = await stat(inProject(file));
    hash.update(`${file}\0${size}\0${mtimeMs}\n`);
  }
  return { files, text: [hash.digest('hex'), ...files].join('\n') };
}

async function filesUnder(folder) {
  if (!(await exists(inProject(folder)))) return [];
  const entries = await readdir(inProject(folder), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(inProject(), path.join(entry.parentPath, entry.name)));
}

async function tool(args) {
  try {
    await run(process.execPath, args, { cwd: inProject() });
  } catch (error) {
    if (error instanceof CommandFailed) throw new Unavailable(`${error.output}\nThe build failed.`);
    throw error;
  }
}
