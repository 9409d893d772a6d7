/** `npm run build`: TypeScript, SQL and the console to dist/, when something has changed. */
import './toolchain/node-version.mjs';
import { ensureBuild } from './toolchain/compile.mjs';
import { ensureConsolePage } from './toolchain/console.mjs';
import { ensurePackages } from './toolchain/packages.mjs';
import { main } from './toolchain/project.mjs';

await main(async () => {
  await ensurePackages();
  await ensureBuild();
  await ensureConsolePage();
});
