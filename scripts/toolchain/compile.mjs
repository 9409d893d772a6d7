import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { buildStep, filesUnder, fingerprint } from './build-steps.mjs';
import { withLock } from './cache.mjs';
import { progress } from './progress.mjs';
import { checkout, inProject, Unavailable } from './project.mjs';

/** What is deployed. */
export const SOURCES = ['src', 'activities', 'workflows', 'simulators'];
/** What else decides what comes out. */
const SETTINGS = ['scripts/toolchain/compile.mjs', 'package-lock.json'];
/** Files that are compiled at once: the build of an image may have no more than 1,024 open, and some systems 256. */
const AT_ONCE = 32;

/** As tsconfig.json: CommonJS for the oldest Node that package.json names. */
const OPTIONS = {
  sourceMaps: true,
  jsc: { target: 'es2023', parser: { syntax: 'typescript' } },
  module: { type: 'commonjs', ignoreDynamic: true },
};

/** Brings dist/ up to date with the sources; takes milliseconds when nothing has changed. */
export async function ensureBuild() {
  const bundle = inProject('dist', 'src', 'main', 'bundle-workflows.js');
  await compile({ output: inProject('dist'), folders: SOURCES, finish: () => buildStep([bundle]) });
}

/**
 * Types are not checked here: `npm run check` and the gate do that, and a start need not wait for it.
 *
 * @param options.output the directory that takes the compiled code, laid out as the sources are
 * @param options.folders the sources; their SQL and JSON files are copied beside the compiled code
 * @param options.finish a last step, with the compiled code in place
 */
export async function compile({ output, folders, finish }) {
  const stamp = path.join(output, '.built-from');
  if ((await readFile(stamp, 'utf8').catch(() => '')) === (await describe(folders)).text) return;
  await withLock(`${path.basename(output)}-${checkout}`, async () => {
    const before = (await readFile(stamp, 'utf8').catch(() => '')).split('\n');
    const { text, files } = await describe(folders);
    if (before.join('\n') === text) return;
    // What was compiled from a file that is gone would still be found, and a migration that is gone would still run.
    const now = new Set(files);
    if (before.slice(1).some((file) => !now.has(file))) await rm(output, { recursive: true, force: true });
    await progress('Compiling', async () => {
      // Loaded here: the packages may have been installed a moment ago.
      const { transformFile } = await import('@swc/core');
      const waiting = files.values();
      const lane = async () => {
        for (const file of waiting) await compileFile(transformFile, file, output);
      };
      await Promise.all(Array.from({ length: AT_ONCE }, lane));
      await finish?.();
    });
    await writeFile(stamp, text);
  });
}

async function compileFile(transformFile, file, output) {
  const to = path.join(output, file);
  await mkdir(path.dirname(to), { recursive: true });
  if (file.endsWith('.sql') || file.endsWith('.json')) return cp(inProject(file), to);
  if (!file.endsWith('.ts') || file.endsWith('.d.ts')) return;
  const name = `${path.basename(file, '.ts')}.js`;
  const directory = path.dirname(to);
  const sourceFileName = path.relative(directory, inProject(file));
  const compiled = transformFile(inProject(file), { ...OPTIONS, sourceFileName });
  const { code, map } = await compiled.catch((error) => {
    throw new Unavailable(`${error.message}\nThe build failed.`);
  });
  await writeFile(path.join(directory, name), `${code}//# sourceMappingURL=${name}.map\n`);
  await writeFile(path.join(directory, `${name}.map`), map);
}

/** The fingerprint of everything that goes in, and the list of names. */
async function describe(folders) {
  const files = (await Promise.all(folders.map(filesUnder))).flat().sort();
  return { files, text: [await fingerprint([...files, ...SETTINGS]), ...files].join('\n') };
}
