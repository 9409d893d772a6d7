/** `npm run build`: TypeScript and SQL to dist/, when something has changed. */
import './toolchain/node-version.mjs';
import { ensureBuild } from './toolchain/compile.mjs';
import { ensurePackages } from './toolchain/packages.mjs';
import { main } from './toolchain/project.mjs';

await main(async () => {
  await ensurePackages();
  await ensureBuild();
});
