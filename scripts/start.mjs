/** `npm start`: gets everything that is missing on this machine, then runs the whole service on it. */
import './toolchain/node-version.mjs';
import { ensureBuild } from './toolchain/compile.mjs';
import { ensurePages } from './toolchain/pages.mjs';
import { become } from './toolchain/entry.mjs';
import { ensurePackages } from './toolchain/packages.mjs';
import { log } from './toolchain/progress.mjs';
import { inProject, main, Unavailable } from './toolchain/project.mjs';
import { ensureTemporalCli } from './toolchain/temporal-cli.mjs';

const USAGE = `npm start runs the whole service on this machine, and takes no arguments.
Its settings (ports, the data directory) are environment variables; docs/configuration.md lists them.
Ctrl-C stops it; the data is kept.`;

await main(async () => {
  const [argument] = process.argv.slice(2);
  if (argument === '--help' || argument === '-h') {
    log(USAGE);
    return;
  }
  if (argument !== undefined) throw new Unavailable(`Unknown argument ${argument}.\n${USAGE}`);
  const packages = ensurePackages();
  const [temporal] = await Promise.all([
    process.env.TEMPORAL_ADDRESS ? undefined : temporalOrNone(packages),
    packages.then(ensureBuild).then(ensurePages),
  ]);
  if (temporal !== undefined) process.env.TEMPORAL_CLI_PATH = temporal;
  else delete process.env.TEMPORAL_CLI_PATH;
  await become(inProject('dist', 'src', 'main', 'start.js'), []);
});

/** Metering needs no Temporal, so its absence is reported and not fatal. */
async function temporalOrNone(packages) {
  try {
    return await ensureTemporalCli(packages);
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    log(error.message);
    return undefined;
  }
}
