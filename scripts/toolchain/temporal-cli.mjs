import path from 'node:path';
import { install, installed } from './cache.mjs';
import { onPath, run } from './commands.mjs';
import { obtain } from './obtain.mjs';
import { progress } from './progress.mjs';
import { downloadAnswers, downloadBySdk } from './sdk-download.mjs';
import { CLI_VERSION, planTemporalCli } from './sources.mjs';

const TOOL = `temporal-cli-${CLI_VERSION}-${process.platform}-${process.arch}`;
const FILE = 'temporal';

/**
 * The path of a `temporal` program that can run a development server.
 *
 * @param packages resolves when the npm packages are there, which the SDK's download needs
 * @throws Unavailable with one sentence
 */
export async function ensureTemporalCli(packages, env = process.env) {
  const configured = env.TEMPORAL_CLI_PATH || undefined;
  const found = configured === undefined ? await onPath(FILE) : undefined;
  const works =
    found !== undefined && (await run(found, ['--version'], { seconds: 10 }).then(Boolean, () => false));
  const ready = { configured, onPath: works ? found : undefined, cached: await installed(TOOL, FILE) };
  const needed = planTemporalCli({ ...ready, download: false, go: false }).use === undefined;
  const [download, go] = needed
    ? await Promise.all([downloadAnswers(env), onPath('go')])
    : [false, undefined];
  return obtain(planTemporalCli({ ...ready, download, go: go !== undefined }), {
    download: async () => {
      await packages;
      return progress('Downloading Temporal', () =>
        install(TOOL, FILE, (directory) => downloadBySdk('cli', directory, FILE)),
      );
    },
    go: () =>
      progress('Building Temporal with Go (once, about three minutes)', () =>
        install(TOOL, FILE, (directory) => buildWithGo(go, directory, env)),
      ),
  });
}

async function buildWithGo(go, directory, env) {
  await run(go, ['install', '-ldflags=-s -w', `github.com/temporalio/cli/cmd/temporal@v${CLI_VERSION}`], {
    env: { ...env, GOBIN: directory, GOFLAGS: '' },
    cwd: directory,
    seconds: 1_800,
  });
  await run(path.join(directory, FILE), ['--version'], { seconds: 30 });
}
