/** `node scripts/run.mjs <entry> [arguments]`: runs src/main/<entry>.ts, built if needed. */
import './toolchain/node-version.mjs';
import { ensureBuild } from './toolchain/compile.mjs';
import { become } from './toolchain/entry.mjs';
import { ensurePackages } from './toolchain/packages.mjs';
import { inProject, main, Unavailable } from './toolchain/project.mjs';

await main(async () => {
  const [entry, ...args] = process.argv.slice(2);
  if (!entry || !/^[a-z][a-z-]*$/.test(entry))
    throw new Unavailable('Usage: node scripts/run.mjs <entry> [arguments]');
  await ensurePackages();
  await ensureBuild();
  await become(inProject('dist', 'src', 'main', `${entry}.js`), args);
});
