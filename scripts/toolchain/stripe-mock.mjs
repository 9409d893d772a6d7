/**
 * Provider A's own checker of request shapes, for the contract test:
 *
 *   node scripts/toolchain/stripe-mock.mjs     prints the path of the program
 */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { install, installed } from './cache.mjs';
import { onPath, run } from './commands.mjs';
import { obtain } from './obtain.mjs';
import { progress } from './progress.mjs';
import { main } from './project.mjs';

const VERSION = '0.203.0';
const TOOL = `stripe-mock-${VERSION}-${process.platform}-${process.arch}`;
const FILE = 'stripe-mock';

/**
 * The path of a `stripe-mock` program: STRIPE_MOCK_PATH's, the cache's, or one built with Go.
 *
 * @throws Unavailable with one sentence
 */
export async function ensureStripeMock(env = process.env) {
  const configured = env.STRIPE_MOCK_PATH || undefined;
  const use = configured ?? (await installed(TOOL, FILE));
  if (use !== undefined) return obtain({ use, named: configured && 'STRIPE_MOCK_PATH' }, {});
  const go = await onPath('go');
  const plan = {
    tries: go === undefined ? [] : ['go'],
    otherwise: 'stripe-mock could not be had: install Go, or set STRIPE_MOCK_PATH to the program.',
  };
  return obtain(plan, {
    go: () =>
      progress('Building stripe-mock with Go (once, under a minute)', () =>
        install(TOOL, FILE, (directory) => buildWithGo(go, directory, env)),
      ),
  });
}

async function buildWithGo(go, directory, env) {
  await run(go, ['install', '-ldflags=-s -w', `github.com/stripe/stripe-mock@v${VERSION}`], {
    env: { ...env, GOBIN: directory, GOFLAGS: '' },
    cwd: directory,
    seconds: 600,
  });
  await run(path.join(directory, FILE), ['-version'], { seconds: 30 });
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  await main(async () => {
    process.stdout.write(`${await ensureStripeMock()}\n`);
  });
}
