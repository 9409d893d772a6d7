/** `npm run bench:webhooks`: compiles bench/ with the sources it measures and runs bench/webhooks.ts. */
import './toolchain/node-version.mjs';
import { compile, SOURCES } from './toolchain/compile.mjs';
import { become } from './toolchain/entry.mjs';
import { ensurePackages } from './toolchain/packages.mjs';
import { inProject, main } from './toolchain/project.mjs';

await main(async () => {
  await ensurePackages();
  const output = inProject('node_modules', '.cache', 'tollgate', 'bench');
  await compile({ output, folders: [...SOURCES, 'bench'] });
  process.env.NODE_ENV ??= 'production';
  await become(`${output}/bench/webhooks.js`, process.argv.slice(2));
});
