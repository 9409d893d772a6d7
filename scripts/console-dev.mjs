/** `npm run console:dev`: the console with hot reload, over a service that runs (`npm start`). */
import './toolchain/node-version.mjs';
import { become } from './toolchain/entry.mjs';
import { ensurePackages } from './toolchain/packages.mjs';
import { inProject, main } from './toolchain/project.mjs';

await main(async () => {
  await ensurePackages();
  await become(inProject('node_modules', 'vite', 'bin', 'vite.js'), [inProject('console')]);
});
