/** `npm run build`: TypeScript, SQL and the pages (console, customer's page) to dist/, when something has changed. */
import './toolchain/node-version.mjs';
import { ensureBuild } from './toolchain/compile.mjs';
import { ensurePages } from './toolchain/pages.mjs';
import { ensurePackages } from './toolchain/packages.mjs';
import { main } from './toolchain/project.mjs';

await main(async () => {
  await ensurePackages();
  await ensureBuild();
  await ensurePages();
});
