import { chmod, readdir, rename } from 'node:fs/promises';
import path from 'node:path';
import { run } from './commands.mjs';
import { inProject } from './project.mjs';

const SITE = 'https://temporal.download';
const script = inProject('scripts', 'download-server.mjs');

/** Behind a proxy only the SDK's own client can tell, so it is tried, for as long as a download may take. */
export async function downloadAnswers(env = process.env) {
  if (env.HTTPS_PROXY || env.https_proxy || env.ALL_PROXY || env.all_proxy) return true;
  try {
    await fetch(SITE, { method: 'HEAD', signal: AbortSignal.timeout(4_000) });
    return true;
  } catch {
    return false;
  }
}

/**
 * Lets the Temporal SDK download a server of the version it was made for.
 *
 * @param kind 'cli' or 'test-server'
 * @param directory an empty directory, in which the program is called `name` afterwards
 */
export async function downloadBySdk(kind, directory, name) {
  await run(process.execPath, [script, kind, directory], { cwd: inProject(), seconds: 240 });
  const [file] = (await readdir(directory)).filter((entry) => entry.startsWith('temporal'));
  if (file === undefined) throw new Error('The download by the Temporal SDK left no program.');
  await rename(path.join(directory, file), path.join(directory, name));
  await chmod(path.join(directory, name), 0o755);
}
