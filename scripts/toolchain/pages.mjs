import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { buildStep, filesUnder, fingerprint } from './build-steps.mjs';
import { withLock } from './cache.mjs';
import { progress } from './progress.mjs';
import { checkout, inProject } from './project.mjs';

const PAGES = [
  { folder: 'console', title: 'Building the console' },
  { folder: 'portal', title: 'Building the customer’s page' },
];

/** What the console shares with the customer's page. */
const SHARED = path.join('portal', 'src', 'after-press.ts');

/** Brings the pages in dist/ up to date with their sources; takes milliseconds when nothing has changed. */
export async function ensurePages() {
  for (const page of PAGES) await ensurePage(page);
}

async function ensurePage({ folder, title }) {
  if (await isCurrent(folder)) return;
  await withLock(`${folder}-page-${checkout}`, async () => {
    if (await isCurrent(folder)) return;
    const described = await describe(folder);
    await progress(title, () =>
      buildStep(
        [
          inProject('node_modules', 'vite', 'bin', 'vite.js'),
          'build',
          inProject(folder),
          '--logLevel',
          'warn',
        ],
        { ...process.env, NODE_ENV: 'production' },
      ),
    );
    await writeFile(stampOf(folder), described);
  });
}

function stampOf(folder) {
  return inProject('dist', `${folder}-page`, '.built-from');
}

async function isCurrent(folder) {
  const [before, now] = await Promise.all([
    readFile(stampOf(folder), 'utf8').catch(() => ''),
    describe(folder),
  ]);
  return before === now;
}

/** What decides what comes out. */
async function describe(folder) {
  return fingerprint([...(await sourcesOf(folder)), 'package-lock.json']);
}

/** @returns what a page is built from, from the project's root: its own files and those that it shares */
export async function sourcesOf(folder) {
  const settings = ['index.html', 'package.json', 'vite.config.ts'].map((name) => path.join(folder, name));
  const code = await Promise.all([path.join(folder, 'src'), path.join('src', 'domain')].map(filesUnder));
  return [...new Set([...code.flat().sort(), SHARED, ...settings])];
}
