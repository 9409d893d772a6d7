import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { buildStep, filesUnder, fingerprint } from './build-steps.mjs';
import { withLock } from './cache.mjs';
import { progress } from './progress.mjs';
import { checkout, inProject } from './project.mjs';

const stamp = inProject('dist', 'console-page', '.built-from');
/** What decides what comes out, beside `console/src`. */
const SETTINGS = [
  'console/index.html',
  'console/package.json',
  'console/vite.config.ts',
  'package-lock.json',
];

/** Brings the operators' console in dist/ up to date with its sources; takes milliseconds when nothing has changed. */
export async function ensureConsolePage() {
  if (await isCurrent()) return;
  await withLock(`console-page-${checkout}`, async () => {
    if (await isCurrent()) return;
    const described = await describe();
    await progress('Building the console', () =>
      buildStep(
        [
          inProject('node_modules', 'vite', 'bin', 'vite.js'),
          'build',
          inProject('console'),
          '--logLevel',
          'warn',
        ],
        { ...process.env, NODE_ENV: 'production' },
      ),
    );
    await writeFile(stamp, described);
  });
}

async function isCurrent() {
  const [before, now] = await Promise.all([readFile(stamp, 'utf8').catch(() => ''), describe()]);
  return before === now;
}

async function describe() {
  return fingerprint([...(await filesUnder(path.join('console', 'src'))).sort(), ...SETTINGS]);
}
