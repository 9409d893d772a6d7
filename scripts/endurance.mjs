/** `npm run endurance [-- name …]`: what takes longer than the gate has time for, with the service as it is deployed. */
import './toolchain/node-version.mjs';
import { compile, ensureBuild, SOURCES } from './toolchain/compile.mjs';
import { become } from './toolchain/entry.mjs';
import { ensurePackages } from './toolchain/packages.mjs';
import { inProject, main } from './toolchain/project.mjs';
import { ensureTemporalCli } from './toolchain/temporal-cli.mjs';

await main(async () => {
  const packages = ensurePackages();
  process.env.TEMPORAL_CLI_PATH = await ensureTemporalCli(packages);
  await packages;
  await ensureBuild();
  const output = inProject('node_modules', '.cache', 'tollgate', 'endurance');
  await compile({ output, folders: [...SOURCES, 'test', 'endurance'] });
  process.chdir(inProject());
  await become(`${output}/endurance/main.js`, process.argv.slice(2));
});
